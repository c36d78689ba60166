#include "services/model/matching_rule.h"

#include <cstring>
#include <utility>

#include "services/model/string_prep.h"

namespace twintree::model {
namespace {

bool HasEdgeSpace(std::string_view piece) { return piece.starts_with(' ') || piece.ends_with(' '); }

bool AnyEdgeSpace(const SubstringKeys& keys) {
  if (HasEdgeSpace(keys.initial) || HasEdgeSpace(keys.final_piece)) return true;
  for (const std::string& piece : keys.any) {
    if (HasEdgeSpace(piece)) return true;
  }
  return false;
}

bool HoldsPieces(std::string_view value, const SubstringKeys& keys) {
  if (!value.starts_with(keys.initial)) return false;
  std::size_t position = keys.initial.size();
  for (const std::string& piece : keys.any) {
    const std::size_t found = FindPiece(value, piece, position);
    if (found == std::string_view::npos) return false;
    position = found + piece.size();
  }
  return value.size() - position >= keys.final_piece.size() && value.ends_with(keys.final_piece);
}

SubstringKeys Expand(const SubstringKeys& keys) {
  SubstringKeys expanded;
  expanded.initial = ExpandPieceSpaces(keys.initial, SubstringPosition::kInitial);
  for (const std::string& piece : keys.any) {
    expanded.any.push_back(ExpandPieceSpaces(piece, SubstringPosition::kAny));
  }
  expanded.final_piece = ExpandPieceSpaces(keys.final_piece, SubstringPosition::kFinal);
  return expanded;
}

std::string WithoutEdgeSpaces(const std::string& piece) {
  const std::size_t first = piece.find_first_not_of(' ');
  if (first == std::string::npos) return {};
  return piece.substr(first, piece.find_last_not_of(' ') - first + 1);
}

}  // namespace

SubstringKeys ContainedPieces(const SubstringKeys& keys) {
  SubstringKeys contained;
  contained.initial = WithoutEdgeSpaces(keys.initial);
  for (const std::string& piece : keys.any) {
    std::string inner = WithoutEdgeSpaces(piece);
    if (!inner.empty()) contained.any.push_back(std::move(inner));
  }
  contained.final_piece = WithoutEdgeSpaces(keys.final_piece);
  return contained;
}

SubstringMatcher::SubstringMatcher(const SubstringKeys& keys) : edge_spaces_(AnyEdgeSpace(keys)) {
  pieces_ = edge_spaces_ ? Expand(keys) : keys;
}

bool SubstringMatcher::Matches(std::string_view value_key) const {
  return edge_spaces_ ? HoldsPieces(ExpandSpaces(value_key), pieces_)
                      : HoldsPieces(value_key, pieces_);
}

bool SubstringsMatch(std::string_view value_key, const SubstringKeys& keys) {
  return SubstringMatcher(keys).Matches(value_key);
}

std::size_t FindPiece(std::string_view text, std::string_view piece, std::size_t from) {
  if (from > text.size()) return std::string_view::npos;
  const void* const found =
      memmem(text.data() + from, text.size() - from, piece.data(), piece.size());
  if (found == nullptr) return std::string_view::npos;
  return static_cast<std::size_t>(static_cast<const char*>(found) - text.data());
}

}  // namespace twintree::model
