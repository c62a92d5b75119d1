import CGTK
import GateScreens
import GateWindows

/// The plot of a month: bars of parent time above, bars of right and wrong answers below. Its texts are labels, so they
/// grow with the desktop's text.
@GLibLoop
final class PlotDrawing {
    let widget = Widget.box(isRow: false, spacing: 6)
    private let times = Widget.drawingArea(height: 88)
    private let answers = Widget.drawingArea(height: 88)
    private let highestTime = Widget.label("", styles: ["dim-label", "caption"])
    private let highestCount = Widget.label("", styles: ["dim-label", "caption"])
    private let firstDay = Widget.label("", styles: ["dim-label", "caption"])
    private let lastDay = Widget.label("", styles: ["dim-label", "caption"])
    private var plot: MonthPlot

    init(_ plot: MonthPlot) {
        self.plot = plot
        widget.setMargins(12)
        // The heading gets the space that the figure leaves.
        for figure in [highestTime, highestCount] { gtk_label_set_wrap(figure.pointer, 0) }
        widget.append(Self.line(.label(plot.timeTitle, styles: ["heading"]), highestTime))
        widget.append(times)
        widget.append(Self.line(.label(plot.answersTitle, styles: ["heading"]), highestCount))
        widget.append(answers)
        let days = Self.line(firstDay, lastDay)
        widget.append(days)
        // Time goes from left to right in every language, as the bars do.
        days.keepLeftToRight()
        let legend = Widget.box(isRow: true, spacing: 12)
        legend.append(.label("■ \(plot.right)", styles: ["accent", "caption"]))
        legend.append(.label("▨ \(plot.wrong)", styles: ["error", "caption"]))
        widget.append(legend)
        times.onDraw { [weak self] cairo, width, height in
            self?.draw(cairo, width, height) { [($0.parentTime, false)] }
        }
        answers.onDraw { [weak self] cairo, width, height in
            self?.draw(cairo, width, height) { [($0.rightAnswers, false), ($0.wrongAnswers, true)] }
        }
        show(plot)
    }

    func show(_ plot: MonthPlot) {
        self.plot = plot
        highestTime.setText(plot.highestTime)
        highestCount.setText(plot.highestCount)
        firstDay.setText(plot.firstDay)
        lastDay.setText(plot.lastDay)
        times.setSpoken(name: plot.timeTitle, description: plot.spoken)
        answers.setSpoken(name: plot.answersTitle, description: plot.spoken)
        times.drawAnew()
        answers.drawAnew()
    }

    private static func line(_ first: Widget, _ last: Widget) -> Widget {
        let line = Widget.box(isRow: true, spacing: 12)
        gtk_widget_set_hexpand(first.widget, 1)
        line.append(first)
        line.append(last)
        return line
    }

    /// - Parameter parts: the parts of a day's bar from the bottom, each with whether it counts wrong answers. These
    ///   are hatched, because some people can't tell colours apart.
    private func draw(
        _ cairo: OpaquePointer, _ width: Double, _ height: Double, _ parts: (MonthPlot.Bar) -> [(Double, Bool)]
    ) {
        let step = width / Double(max(1, plot.bars.count))
        let ground = height - 1
        widget.textColour.use(in: cairo, alpha: 0.3)
        cairo_rectangle(cairo, 0, ground, width, 1)
        cairo_fill(cairo)
        for (index, bar) in plot.bars.enumerated() {
            var bottom = ground
            for (part, isWrong) in parts(bar) where part > 0 {
                let length = max(2, part * (ground - 2))
                let (left, top, side) = (Double(index) * step + 1, bottom - length, max(1, step - 2))
                widget.themeColour(isWrong ? "error_color" : "accent_color").use(in: cairo)
                if isWrong {
                    hatch(cairo, left, top, side, length)
                } else {
                    cairo_rectangle(cairo, left, top, side, length)
                    cairo_fill(cairo)
                }
                bottom = top
            }
        }
    }

    private func hatch(_ cairo: OpaquePointer, _ left: Double, _ top: Double, _ width: Double, _ height: Double) {
        cairo_save(cairo)
        cairo_rectangle(cairo, left, top, width, height)
        cairo_clip(cairo)
        cairo_set_line_width(cairo, 2)
        var offset = -width
        while offset < height {
            cairo_move_to(cairo, left, top + offset + width)
            cairo_line_to(cairo, left + width, top + offset)
            offset += 4
        }
        cairo_rectangle(cairo, left, top, width, height)
        cairo_stroke(cairo)
        cairo_restore(cairo)
    }
}
