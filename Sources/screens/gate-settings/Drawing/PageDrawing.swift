import CGTK
import GateScreens
import GateWindows

/// A page: its groups from top to bottom.
@GLibLoop
final class PageDrawing {
    let widget: Widget
    private let told: @GLibLoop (PageInput) -> Void
    private var groups: [GroupDrawing] = []

    init(_ told: @escaping @GLibLoop (PageInput) -> Void) {
        self.told = told
        guard let made = adw_preferences_page_new() else { preconditionFailure("libadwaita makes no pages") }
        widget = Widget(made)
    }

    func show(_ page: SettingsPage) {
        let kept = zip(groups, page.groups).prefix { $0.id == $1.id }.count
        for group in groups[kept...] {
            adw_preferences_page_remove(
                UnsafeMutablePointer(widget.pointer), UnsafeMutablePointer(group.widget.pointer))
        }
        groups.removeSubrange(kept...)
        for (drawing, group) in zip(groups, page.groups) { drawing.show(group) }
        for group in page.groups[kept...] {
            let drawing = GroupDrawing(group, told)
            adw_preferences_page_add(
                UnsafeMutablePointer(widget.pointer), UnsafeMutablePointer(drawing.widget.pointer))
            groups.append(drawing)
        }
    }
}
