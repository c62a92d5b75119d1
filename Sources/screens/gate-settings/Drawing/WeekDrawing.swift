import CGTK
import GateScreens
import GateWindows

/// The plot of a week: a bar for each day, with the time above it and the day below it, and a line at the time that is
/// allowed. Each bar is a widget with a name of its own, so that a screen reader can go from day to day.
@GLibLoop
final class WeekDrawing {
    let widget = Widget.box(isRow: false, spacing: 6)
    private let legend = Widget.box(isRow: true, spacing: 12)
    private let allowed = Widget.label("", styles: ["caption"])
    private let days: [DayDrawing]

    init(_ plot: WeekPlot) {
        days = plot.bars.map(DayDrawing.init)
        widget.setMargins(12)
        legend.append(.label(plot.title, styles: ["dim-label", "caption"]))
        legend.append(allowed)
        widget.append(legend)
        // No space between the days, so that the lines of days with the same time are one.
        let columns = Widget.box(isRow: true, spacing: 0)
        gtk_box_set_homogeneous(UnsafeMutablePointer(columns.pointer), 1)
        for day in days { columns.append(day.widget) }
        widget.append(columns)
        // Time goes from left to right in every language.
        columns.keepLeftToRight()
        show(plot)
    }

    func show(_ plot: WeekPlot) {
        allowed.setText("― \(plot.allowed)")
        allowed.setVisible(!plot.allowed.isEmpty)
        for (day, bar) in zip(days, plot.bars) { day.show(bar) }
    }
}

/// One day of the plot.
@GLibLoop
private final class DayDrawing {
    let widget = Widget.box(isRow: false, spacing: 3)
    private let figure = Widget.label("", styles: ["caption", "numeric"])
    private let area = Widget.drawingArea(height: 72)
    private let day = Widget.label("", styles: ["dim-label", "caption"])
    private var bar: WeekPlot.Bar

    init(_ bar: WeekPlot.Bar) {
        self.bar = bar
        for label in [figure, day] {
            gtk_label_set_wrap(label.pointer, 0)
            gtk_label_set_justify(label.pointer, GTK_JUSTIFY_CENTER)
            gtk_widget_set_halign(label.widget, GTK_ALIGN_CENTER)
        }
        widget.append(figure)
        widget.append(area)
        widget.append(day)
        area.onDraw { [weak self] in self?.draw($0, $1, $2) }
    }

    func show(_ new: WeekPlot.Bar) {
        bar = new
        figure.setText(bar.figure)
        day.setText(bar.day)
        area.setSpoken(name: bar.spoken)
        area.drawAnew()
    }

    private func draw(_ cairo: OpaquePointer, _ width: Double, _ height: Double) {
        let ground = height - 1
        area.textColour.use(in: cairo, alpha: 0.3)
        cairo_rectangle(cairo, 0, ground, width, 1)
        cairo_fill(cairo)
        if bar.used > 0 {
            let length = max(2, bar.used * (ground - 2))
            let side = min(48, width * 0.6)
            area.themeColour("accent_color").use(in: cairo)
            cairo_rectangle(cairo, (width - side) / 2, ground - length, side, length)
            cairo_fill(cairo)
        }
        if let allowed = bar.allowed {
            area.textColour.use(in: cairo)
            cairo_rectangle(cairo, 0, min(ground - 2, ground - allowed * (ground - 2)), width, 2)
            cairo_fill(cairo)
        }
    }
}
