import CGTK

/// The mark of parent mode on a window of Gate: a colour, a padlock and a text in the header bar. Nothing else in the
/// window moves when it appears or disappears.
@GLibLoop
package struct ParentModeBadge {
    private let window: Widget
    private let title: Widget
    private let padlock: Widget
    private let usual: String

    /// `title` is an `AdwWindowTitle` in the header bar, `padlock` a picture there that is visible only in parent mode,
    /// and `usual` the title in child mode.
    package init(on window: Widget, title: Widget, padlock: Widget, usual: String = "Gate") {
        (self.window, self.title, self.padlock, self.usual) = (window, title, padlock, usual)
        gtk_image_set_from_icon_name(padlock.pointer, Padlock.open.iconName)
        show(nil)
    }

    /// - Parameter words: a line that says that the device is in parent mode, and how long; `nil` in other modes.
    package func show(_ words: String?) {
        if words == nil { window.remove(style: "parent-mode") } else { window.add(style: "parent-mode") }
        adw_window_title_set_title(title.pointer, words ?? usual)
        padlock.setVisible(words != nil)
    }
}
