// What a misspelt word was probably meant to be.
#ifndef TWINTREE_SERVICES_MODEL_SPELLING_H_
#define TWINTREE_SERVICES_MODEL_SPELLING_H_

#include <string>
#include <string_view>
#include <vector>

namespace twintree::model {

// The candidate that is nearest to `word`: at most two letters are missing, too many or others.
// `_` counts as `-`. Empty when there is none, when several are equally near, or when the word is
// so short that little of it would be left.
std::string NearestWord(std::string_view word, const std::vector<std::string>& candidates);

}  // namespace twintree::model

#endif  // TWINTREE_SERVICES_MODEL_SPELLING_H_
