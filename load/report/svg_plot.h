// Line plots as SVG elements for an HTML page. They need no script and no other file.
//
// Thread-safety: compatible
#ifndef TWINTREE_LOAD_REPORT_SVG_PLOT_H_
#define TWINTREE_LOAD_REPORT_SVG_PLOT_H_

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace twintree::load {

enum class AxisScale {
  kLinear,       // from 0
  kLogarithmic,  // powers of ten; values of 0 and less are left out
};

struct Axis {
  std::string title;
  AxisScale scale = AxisScale::kLinear;
  // Text for certain places, in place of numbers at round ones.
  std::vector<std::pair<double, std::string>> labels = {};
};

struct Series {
  std::string name;
  std::vector<std::pair<double, double>> points;
};

struct Plot {
  std::string title;
  Axis x;
  Axis y;
  std::vector<Series> series;
};

std::string FormatSvg(const Plot& plot);

// Text with the characters replaced that mean something in HTML and XML; control characters, which
// XML has none of, become "?".
std::string EscapeMarkup(std::string_view text);

// A number in few digits: "1.5", "20k", "3M".
std::string ShortNumber(double number);

}  // namespace twintree::load

#endif  // TWINTREE_LOAD_REPORT_SVG_PLOT_H_
