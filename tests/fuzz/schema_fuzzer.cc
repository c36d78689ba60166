#include <memory>

#include "services/model/schema.h"
#include "tests/fuzz/fuzz.h"

using twintree::fuzz::Check;
using twintree::model::AttributeType;
using twintree::model::ObjectClass;
using twintree::model::ResultCode;
using twintree::model::Schema;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto schema = Schema::StandardWith(twintree::fuzz::Octets(data, size));
  if (!schema.ok()) {
    Check(schema.code() == ResultCode::kOther, "a bad schema has its code");
    Check(schema.error().message.find("line ") != std::string::npos, "a bad schema has its line");
    return 0;
  }
  for (const std::unique_ptr<AttributeType>& type : (*schema)->attribute_types()) {
    Check(type->syntax != nullptr, "every type has a syntax");
    Check((*schema)->FindAttributeType(type->oid) == type.get(), "types are found by OID");
    Check((*schema)->FindAttributeType(type->name()) == type.get(), "types are found by name");
  }
  for (const std::unique_ptr<ObjectClass>& object_class : (*schema)->object_classes()) {
    Check((*schema)->FindObjectClass(object_class->name()) == object_class.get(),
          "classes are found by name");
    Check(object_class->IsSubclassOf(*object_class), "a class is one of itself");
  }
  return 0;
}
