import CGTK

/// A status icon with a menu, a StatusNotifierItem. KDE, Xfce and others show these, stock GNOME does not.
@GLibLoop
package final class StatusItem {
    package struct Content: Hashable, Sendable {
        package struct Line: Hashable, Sendable {
            let text: String
            /// The number that `pressed` receives; `nil` if the line is only to be read.
            let action: Int?
            let isEnabled: Bool

            package init(_ text: String, action: Int? = nil, isEnabled: Bool = true) {
                (self.text, self.action, self.isEnabled) = (text, action, isEnabled)
            }
        }

        let title: String
        let tip: String
        let padlock: Padlock
        /// Whether a host may hide it.
        let isPassive: Bool
        let lines: [Line]

        package init(title: String, tip: String, padlock: Padlock, isPassive: Bool, lines: [Line]) {
            (self.title, self.tip, self.padlock, self.isPassive, self.lines) = (title, tip, padlock, isPassive, lines)
        }
    }

    private let bus: SessionBus
    /// The name on the bus by which hosts find it.
    private let name: String
    private var content: Content
    private var revision: UInt32 = 1
    private let pressed: @GLibLoop (_ action: Int) -> Void
    /// Called when the menu is about to be opened, because its texts may be old.
    private let opening: @GLibLoop () -> Void
    private var item: BusObject?
    private var menu: BusObject?

    /// The icon exists from now on, and is visible if a host shows it. `placed` is called with whether one does, soon
    /// and after each change; `opening` is called before the menu opens, and can still change its content with `show`.
    package init(
        on bus: SessionBus, _ content: Content, placed: @escaping @GLibLoop (_ isShown: Bool) -> Void,
        pressed: @escaping @GLibLoop (_ action: Int) -> Void, opening: @escaping @GLibLoop () -> Void
    ) {
        (self.bus, self.content, self.pressed, self.opening) = (bus, content, pressed, opening)
        name = "org.kde.StatusNotifierItem-\(getpid())-1"
        item = BusObject(
            on: bus, at: "/StatusNotifierItem", StatusItemDescription.item, "org.kde.StatusNotifierItem",
            property: { [unowned self] in itemProperty($0) }, method: { [unowned self] name, _ in itemMethod(name) })
        menu = BusObject(
            on: bus, at: "/MenuBar", StatusItemDescription.menu, "com.canonical.dbusmenu",
            property: { [unowned self] in menuProperty($0) }, method: { [unowned self] in menuMethod($0, $1) })
        register(placed)
    }

    package func show(_ content: Content) {
        guard content != self.content else { return }
        let old = self.content
        self.content = content
        if old.title != content.title { item?.emit("NewTitle") }
        if old.tip != content.tip { item?.emit("NewToolTip") }
        if old.padlock != content.padlock { item?.emit("NewIcon") }
        if old.isPassive != content.isPassive { item?.emit("NewStatus", [.string(status)]) }
        guard old.lines != content.lines else { return }
        revision &+= 1
        menu?.emit("LayoutUpdated", [.uint32(revision), .int32(Menu.root)])
    }

    // MARK: The watcher

    /// Registers with each watcher that appears, and asks it whether a host shows its icons.
    private func register(_ placed: @escaping @GLibLoop (Bool) -> Void) {
        bus.call(
            "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "RequestName",
            [
                .string(name), .uint32(4),
            ])
        bus.onSignal(of: Watcher.name, Watcher.path, Watcher.name) { [unowned self] signal, _ in
            guard signal.hasPrefix("StatusNotifierHost") else { return }
            askForHost(placed)
        }
        bus.onOwner(of: Watcher.name) { [unowned self] isThere in
            guard isThere else {
                placed(false)
                return
            }
            bus.call(Watcher.name, Watcher.path, Watcher.name, "RegisterStatusNotifierItem", [.string(name)]) {
                [unowned self] answer in
                if answer == nil { placed(false) } else { askForHost(placed) }
            }
        }
    }

    private func askForHost(_ placed: @escaping @GLibLoop (Bool) -> Void) {
        bus.call(
            Watcher.name, Watcher.path, "org.freedesktop.DBus.Properties", "Get",
            [.string(Watcher.name), .string("IsStatusNotifierHostRegistered")]
        ) { answer in placed(answer?.elements.first?.boolean ?? false) }
    }

    // MARK: The item

    private var status: String { content.isPassive ? "Passive" : "Active" }

    private func itemProperty(_ name: String) -> BusValue? {
        switch name {
        case "Category": .string("SystemServices")
        case "Id": .string("gate-presenter")
        case "Title": .string(content.title)
        case "Status": .string(status)
        case "WindowId": .int32(0)
        case "IconName": .string(content.padlock.iconName)
        case "IconPixmap": Self.pixmaps(of: content.padlock)
        case "ToolTip":
            .tuple([.string(""), .array(of: "(iiay)", []), .string(content.title), .string(content.tip)])
        case "ItemIsMenu": .boolean(true)
        case "Menu": .objectPath("/MenuBar")
        case _: nil
        }
    }

    private static func pixmaps(of padlock: Padlock) -> BusValue {
        .array(
            of: "(iiay)",
            [22, 44].map { size in .tuple([.int32(Int32(size)), .int32(Int32(size)), .bytes(padlock.pixels(size))]) })
    }

    /// The icon has only a menu, which the host opens by itself, so these methods do nothing.
    private func itemMethod(_ name: String) -> [BusValue]? {
        switch name {
        case "Activate", "SecondaryActivate", "ContextMenu", "Scroll": []
        case _: nil
        }
    }

    // MARK: The menu

    private enum Menu {
        /// The id of the menu itself. The ids of its lines follow.
        static let root: Int32 = 0
    }

    private func menuProperty(_ name: String) -> BusValue? {
        switch name {
        case "Version": .uint32(3)
        case "TextDirection": .string(gtk_widget_get_default_direction() == GTK_TEXT_DIR_RTL ? "rtl" : "ltr")
        case "Status": .string("normal")
        case "IconThemePath": .array(of: "s", [])
        case _: nil
        }
    }

    private func menuMethod(_ name: String, _ words: [BusValue]) -> [BusValue]? {
        switch (name, words.first, words.count) {
        case ("GetLayout", .int32(let parent), 3): layout(of: parent).map { [.uint32(revision), $0] }
        case ("GetGroupProperties", .array(_, let ids), 2): [.array(of: "(ia{sv})", ids.compactMap(properties))]
        case ("GetProperty", .int32(let id), 2): property(id, words[1]).map { [.any($0)] }
        case ("Event", .int32(let id), 4): happened(id, words[1]) ? [] : nil
        case ("EventGroup", .array(_, let events), 1): [.array(of: "i", events.compactMap(unknownOf))]
        case ("AboutToShow", .int32, 1): [.boolean(isRenewed())]
        case ("AboutToShowGroup", .array, 1):
            [.array(of: "i", isRenewed() ? [.int32(Menu.root)] : []), .array(of: "i", [])]
        case _: nil
        }
    }

    private func isRenewed() -> Bool {
        let before = revision
        opening()
        return revision != before
    }

    private func line(_ id: Int32) -> Content.Line? {
        id > Menu.root && id <= content.lines.count ? content.lines[Int(id) - 1] : nil
    }

    private func layout(of id: Int32) -> BusValue? {
        guard id != Menu.root else {
            let children = content.lines.indices.compactMap { layout(of: Int32($0) + 1) }
            return .tuple([
                .int32(id), .dictionary(["children-display": .string("submenu")]),
                .array(of: "v", children.map { .any($0) }),
            ])
        }
        return line(id).map { .tuple([.int32(id), .dictionary(Self.properties($0)), .array(of: "v", [])]) }
    }

    private static func properties(_ line: Content.Line) -> [String: BusValue] {
        // A single underscore would mark a mnemonic.
        let label = line.text.split(separator: "_", omittingEmptySubsequences: false).joined(separator: "__")
        return ["label": .string(label), "enabled": .boolean(line.action != nil && line.isEnabled)]
    }

    private func properties(_ id: BusValue) -> BusValue? {
        guard case .int32(let number) = id, let line = line(number) else { return nil }
        return .tuple([id, .dictionary(Self.properties(line))])
    }

    private func property(_ id: Int32, _ name: BusValue) -> BusValue? {
        guard case .string(let name) = name, let line = line(id) else { return nil }
        return Self.properties(line)[name]
    }

    private func happened(_ id: Int32, _ event: BusValue) -> Bool {
        guard id != Menu.root else { return true }
        guard let line = line(id) else { return false }
        if event == .string("clicked"), line.isEnabled, let action = line.action { pressed(action) }
        return true
    }

    /// - Returns: the id in an event if no line has it; otherwise `nil`.
    private func unknownOf(_ event: BusValue) -> BusValue? {
        let parts = event.elements
        guard parts.count == 4, case .int32(let id) = parts[0] else { return nil }
        return happened(id, parts[1]) ? nil : parts[0]
    }
}

/// The desktop's program that lists all status icons.
private enum Watcher {
    static let name = "org.kde.StatusNotifierWatcher"
    static let path = "/StatusNotifierWatcher"
}
