#include "services/model/values.h"

namespace twintree::model {

std::size_t ValueRange::CountValues() const {
  ber::Reader reader(elements_);
  ber::Element element;
  std::size_t count = 0;
  while (reader.Next(&element)) ++count;
  return count;
}

}  // namespace twintree::model
