import CGTK

/// A notification of the desktop, with buttons.
@GLibLoop
package final class Notice {
    package struct Content: Hashable, Sendable {
        let title: String
        let text: String
        let padlock: Padlock
        let buttons: [Button]
        /// Whether it stays until somebody closes it, also when a button is pressed. Otherwise it goes by itself after
        /// a while, or as soon as a button is pressed.
        let stays: Bool
        /// Whether it is shown even if the person is not to be disturbed, and stays until it is closed or used.
        let isUrgent: Bool

        /// A button, with the number that `pressed` receives.
        package struct Button: Hashable, Sendable {
            let action: Int
            let label: String

            package init(_ label: String, action: Int) { (self.label, self.action) = (label, action) }
        }

        package init(
            title: String, text: String, padlock: Padlock, buttons: [Button], stays: Bool, isUrgent: Bool = false
        ) {
            (self.title, self.text, self.padlock, self.buttons) = (title, text, padlock, buttons)
            (self.stays, self.isUrgent) = (stays, isUrgent)
        }
    }

    private let bus: SessionBus
    private var shown: Content?
    /// The number that the server gave the notification; 0 if it has not given one yet, or none is shown.
    private var id: UInt32 = 0
    /// Whether the server interprets texts as markup, and whether it has buttons.
    private var hasMarkup = false
    private var hasButtons = false
    /// Whether an answer of the server is awaited. Content that has changed meanwhile is sent after it.
    private var isSending = false
    private let pressed: @GLibLoop (_ action: Int) -> Void
    private let ended: @GLibLoop (_ byPerson: Bool) -> Void

    /// `served` is called when a server appears or disappears, first some time after this initializer; `ended` if the
    /// notification could not be shown, or was closed by the person or by the server.
    package init(
        on bus: SessionBus, served: @escaping @GLibLoop (_ isThere: Bool) -> Void,
        pressed: @escaping @GLibLoop (_ action: Int) -> Void, ended: @escaping @GLibLoop (_ byPerson: Bool) -> Void
    ) {
        (self.bus, self.pressed, self.ended) = (bus, pressed, ended)
        var wasThere = false
        bus.onOwner(of: Server.name) { [unowned self] isThere in
            // A server that does not run yet may be started by the first notification.
            guard isThere || wasThere else { return }
            wasThere = true
            if !isThere { forget() }
            served(isThere)
        }
        bus.onSignal(of: Server.name, Server.path, Server.name) { [unowned self] in heard($0, $1) }
    }

    /// `gone` is called where `ended` would be, and if the server disappears.
    package convenience init(
        on bus: SessionBus, pressed: @escaping @GLibLoop (_ action: Int) -> Void, gone: @escaping @GLibLoop () -> Void
    ) {
        self.init(on: bus, served: { if !$0 { gone() } }, pressed: pressed, ended: { _ in gone() })
    }

    /// Shows this instead of the present content; `nil`: closes it.
    package func show(_ content: Content?) {
        guard content != shown else { return }
        shown = content
        guard !isSending else { return }
        send()
    }

    private func send() {
        guard let shown else {
            if id != 0 { bus.call(Server.name, Server.path, Server.name, "CloseNotification", [.uint32(id)]) }
            id = 0
            return
        }
        isSending = true
        guard id == 0 else {
            notify(shown)
            return
        }
        bus.call(Server.name, Server.path, Server.name, "GetCapabilities", []) { [unowned self] answer in
            let abilities = answer?.elements.first?.strings ?? []
            hasButtons = abilities.contains("actions")
            hasMarkup = abilities.contains("body-markup")
            // Without buttons, nobody could end parent mode with it. Other notifications still tell something.
            guard hasButtons || !shown.stays else {
                failed()
                return
            }
            notify(shown)
        }
    }

    private func notify(_ content: Content) {
        bus.call(Server.name, Server.path, Server.name, "Notify", words(for: content)) { [unowned self] answer in
            guard case .uint32(let number)? = answer?.elements.first else {
                failed()
                return
            }
            id = number
            isSending = false
            // The content has changed meanwhile.
            if shown != content { send() }
        }
    }

    private func words(for content: Content) -> [BusValue] {
        let hints: [String: BusValue] = [
            // Critical notifications stay until somebody closes them.
            "urgency": .byte(content.stays || content.isUrgent ? 2 : 1), "resident": .boolean(content.stays),
            "suppress-sound": .boolean(content.stays), "desktop-entry": .string("gate-presenter"),
            "category": .string("device"),
        ]
        let buttons = hasButtons ? content.buttons : []
        return [
            .string("Gate"), .uint32(id), .string(content.padlock.iconName), .string(content.title),
            .string(hasMarkup ? content.text.escapedForMarkup : content.text),
            .array(of: "s", buttons.flatMap { [.string(String($0.action)), .string($0.label)] }),
            // 0: it never goes by itself; -1: when the desktop thinks best.
            .dictionary(hints), .int32(content.stays ? 0 : -1),
        ]
    }

    private func failed() {
        let wasWanted = shown != nil
        forget()
        if wasWanted { ended(false) }
    }

    private func forget() {
        (shown, id, isSending) = (nil, 0, false)
    }

    private func heard(_ signal: String, _ words: [BusValue]) {
        guard words.count == 2, case .uint32(let number) = words[0], number == id, number != 0 else { return }
        switch (signal, words[1]) {
        case ("ActionInvoked", .string(let action)):
            guard let action = Int(action) else { return }
            // The server closes it by itself, unless it stays. What is shown afterwards is another notification.
            if shown?.stays == false { show(nil) }
            pressed(action)
        case ("NotificationClosed", .uint32(let reason)):
            forget()
            // 1: it expired; 2: the person closed it; 3: this program closed it; 4: undefined.
            if reason != 3 { ended(reason == 2) }
        case _: break
        }
    }
}

extension String {
    /// The text escaped for the markup of GTK and of notifications.
    package var escapedForMarkup: String {
        guard let escaped = g_markup_escape_text(self, -1) else { return "" }
        defer { g_free(escaped) }
        return String(cString: escaped)
    }
}

private enum Server {
    static let name = "org.freedesktop.Notifications"
    static let path = "/org/freedesktop/Notifications"
}
