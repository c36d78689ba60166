#include "load/report/svg_plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>

namespace twintree::load {
namespace {

constexpr double kWidth = 720;
constexpr double kHeight = 320;
constexpr double kLeft = 70;
constexpr double kRight = 20;
constexpr double kTop = 50;
constexpr double kBottom = 50;
constexpr int kSteps = 5;  // about as many lines on an axis
constexpr std::array<std::string_view, 6> kColors = {"#1f77b4", "#d62728", "#2ca02c",
                                                     "#ff7f0e", "#9467bd", "#8c564b"};

bool Shown(double value, AxisScale scale) {
  return std::isfinite(value) && (scale == AxisScale::kLinear || value > 0);
}

// One axis: from values to pixels.
class Ruler {
 public:
  Ruler(const Axis& axis, double low, double high, double begin, double end)
      : axis_(axis), begin_(begin), end_(end) {
    if (axis.scale == AxisScale::kLogarithmic) {
      low_ = std::floor(std::log10(low));
      high_ = std::max(low_ + 1, std::ceil(std::log10(high)));
    } else {
      low_ = std::min(0.0, low);
      step_ = RoundStep((high - low_) / kSteps);
      high_ = std::max(low_ + step_, std::ceil(high / step_) * step_);
    }
  }

  double Place(double value) const {
    const double at = axis_.scale == AxisScale::kLogarithmic ? std::log10(value) : value;
    return begin_ + (end_ - begin_) * (at - low_) / (high_ - low_);
  }

  // Where lines are drawn, and the text beside them.
  std::vector<std::pair<double, std::string>> Ticks() const {
    if (!axis_.labels.empty()) return axis_.labels;
    std::vector<std::pair<double, std::string>> ticks;
    if (axis_.scale == AxisScale::kLogarithmic) {
      for (double power = low_; power <= high_; ++power) {
        ticks.emplace_back(std::pow(10, power), ShortNumber(std::pow(10, power)));
      }
      return ticks;
    }
    const auto count = static_cast<int>(std::lround((high_ - low_) / step_));
    for (int i = 0; i <= count; ++i) {
      const double value = low_ + i * step_;
      ticks.emplace_back(value, ShortNumber(value));
    }
    return ticks;
  }

 private:
  // The next of 1, 2, 5, 10, ...
  static double RoundStep(double step) {
    if (!(step > 0)) return 1;
    const double power = std::pow(10, std::floor(std::log10(step)));
    for (const double factor : {1.0, 2.0, 5.0}) {
      if (step <= factor * power) return factor * power;
    }
    return 10 * power;
  }

  const Axis& axis_;
  const double begin_;
  const double end_;
  double low_;
  double high_;
  double step_ = 1;
};

struct Range {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();

  void Include(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
  bool empty() const { return low > high; }
};

std::string Text(double x, double y, std::string_view anchor, std::string_view text,
                 std::string_view more = "") {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\"{}>{}</text>\n", x, y,
                     anchor, more, EscapeMarkup(text));
}

std::string Line(double x1, double y1, double x2, double y2) {
  return fmt::format(
      "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"#ddd\"/>\n", x1, y1,
      x2, y2);
}

std::string FormatAxes(const Plot& plot, const Ruler& x, const Ruler& y) {
  std::string svg;
  for (const auto& [value, label] : x.Ticks()) {
    const double at = x.Place(value);
    svg += Line(at, kTop, at, kHeight - kBottom);
    svg += Text(at, kHeight - kBottom + 16, "middle", label);
  }
  for (const auto& [value, label] : y.Ticks()) {
    const double at = y.Place(value);
    svg += Line(kLeft, at, kWidth - kRight, at);
    svg += Text(kLeft - 6, at + 4, "end", label);
  }
  svg += Text((kLeft + kWidth - kRight) / 2, kHeight - 12, "middle", plot.x.title);
  svg += Text(16, (kTop + kHeight - kBottom) / 2, "middle", plot.y.title,
              fmt::format(" transform=\"rotate(-90 16 {:.1f})\"", (kTop + kHeight - kBottom) / 2));
  return svg;
}

std::string FormatSeries(const Plot& plot, const Series& series, std::string_view color,
                         const Ruler& x, const Ruler& y) {
  std::string points;
  std::string marks;
  for (const auto& [at_x, at_y] : series.points) {
    if (!Shown(at_x, plot.x.scale) || !Shown(at_y, plot.y.scale)) continue;
    points += fmt::format("{:.1f},{:.1f} ", x.Place(at_x), y.Place(at_y));
    marks += fmt::format(
        "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"2.5\" fill=\"{}\"><title>{}: "
        "{}</title></circle>\n",
        x.Place(at_x), y.Place(at_y), color, EscapeMarkup(series.name), ShortNumber(at_y));
  }
  return fmt::format("<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.5\"/>\n",
                     points, color) +
         marks;
}

std::string FormatLegend(const Plot& plot) {
  std::string svg;
  double at = kLeft;
  for (std::size_t i = 0; i < plot.series.size(); ++i) {
    svg += fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"10\" height=\"10\" fill=\"{}\"/>\n",
                       at, kTop - 18, kColors[i % kColors.size()]);
    svg += Text(at + 14, kTop - 9, "start", plot.series[i].name);
    at += 34 + 7 * static_cast<double>(plot.series[i].name.size());
  }
  return svg;
}

}  // namespace

std::string FormatSvg(const Plot& plot) {
  Range x_range;
  Range y_range;
  for (const Series& series : plot.series) {
    for (const auto& [x, y] : series.points) {
      if (!Shown(x, plot.x.scale) || !Shown(y, plot.y.scale)) continue;
      x_range.Include(x);
      y_range.Include(y);
    }
  }
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" "
      "height=\"{1}\" role=\"img\" font-family=\"sans-serif\" font-size=\"11\">\n",
      kWidth, kHeight);
  svg += Text(kLeft, 18, "start", plot.title, " font-size=\"14\" font-weight=\"bold\"");
  if (x_range.empty()) return svg + Text(kLeft, kHeight / 2, "start", "no data") + "</svg>\n";
  for (const auto& [value, label] : plot.x.labels) x_range.Include(value);
  const Ruler x(plot.x, x_range.low, x_range.high, kLeft, kWidth - kRight);
  const Ruler y(plot.y, y_range.low, y_range.high, kHeight - kBottom, kTop);
  svg += FormatLegend(plot) + FormatAxes(plot, x, y);
  for (std::size_t i = 0; i < plot.series.size(); ++i) {
    svg += FormatSeries(plot, plot.series[i], kColors[i % kColors.size()], x, y);
  }
  return svg + "</svg>\n";
}

std::string EscapeMarkup(std::string_view text) {
  std::string escaped;
  for (const char octet : text) {
    switch (octet) {
      case '&': escaped += "&amp;"; break;
      case '<': escaped += "&lt;"; break;
      case '>': escaped += "&gt;"; break;
      case '"': escaped += "&quot;"; break;
      case '\'': escaped += "&#39;"; break;
      default: escaped += static_cast<unsigned char>(octet) < 0x20 ? '?' : octet;
    }
  }
  return escaped;
}

std::string ShortNumber(double number) {
  const double size = std::abs(number);
  if (size >= 1e6) return fmt::format("{:.3g}M", number / 1e6);
  if (size >= 1e4) return fmt::format("{:.3g}k", number / 1e3);
  if (size >= 100) return fmt::format("{:.0f}", number);
  return fmt::format("{:.3g}", number);
}

}  // namespace twintree::load
