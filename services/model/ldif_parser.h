// One LDIF record, from its lines. What LdifReader does after LdifLines.
//
// Source: RFC 2849.
#ifndef TWINTREE_SERVICES_MODEL_LDIF_PARSER_H_
#define TWINTREE_SERVICES_MODEL_LDIF_PARSER_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "services/model/ldif.h"
#include "services/model/ldif_lines.h"

namespace twintree::model {

class LdifParser {
 public:
  // `lines` must outlive the parser; not empty.
  LdifParser(std::span<const LdifLine> lines, const LdifOptions& options)
      : lines_(lines), options_(options) {}

  // Fills `record`. False when the lines are no record: problem() in problem_line().
  bool Parse(LdifRecord* record);

  const std::string& problem() const { return problem_; }
  std::uint64_t problem_line() const { return problem_line_; }

 private:
  // A line taken apart. `spec` is what follows the first colon.
  struct Field {
    std::string_view name;
    std::string_view spec;
  };

  bool at_end() const { return position_ == lines_.size(); }
  bool Fail(std::string problem);
  bool FailAtLastLine(std::string problem);

  bool Split(Field* field);
  bool DecodeSpec(std::string_view spec, std::string* value);
  bool DecodeUrl(std::string_view url, std::string* value);
  bool CountBytes(std::size_t bytes);
  bool TakeNamed(std::string_view name, std::string* value);

  bool ParseDn(LdifRecord* record);
  bool ParseControls(LdifRecord* record);
  bool ParseControl(std::string_view spec, LdifControl* control);
  bool ParseChange(std::string_view type, LdifRecord* record);
  bool ParseAttributes(LdifRecord* record);
  bool ParseModifications(LdifRecord* record);
  bool ParseModification(Modification* modification);
  bool ParseValues(RawAttribute* attribute);
  bool ParseModifyDn(LdifRecord* record);
  bool ExpectEnd();

  const std::span<const LdifLine> lines_;
  const LdifOptions& options_;
  std::size_t position_ = 0;
  std::size_t bytes_ = 0;
  std::string problem_;
  std::uint64_t problem_line_ = 0;
};

}  // namespace twintree::model

#endif  // TWINTREE_SERVICES_MODEL_LDIF_PARSER_H_
