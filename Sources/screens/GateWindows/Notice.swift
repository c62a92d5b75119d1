import CGTK

/// A notification of the desktop's that stays, with buttons.
@GLibLoop
package final class Notice {
    /// The words and buttons of it.
    package struct Content: Hashable, Sendable {
        let title: String
        let text: String
        let padlock: Padlock
        /// The buttons, each with the number of what it does.
        let buttons: [Button]

        /// A button.
        package struct Button: Hashable, Sendable {
            let action: Int
            let label: String

            package init(_ label: String, action: Int) { (self.label, self.action) = (label, action) }
        }

        package init(title: String, text: String, padlock: Padlock, buttons: [Button]) {
            (self.title, self.text, self.padlock, self.buttons) = (title, text, padlock, buttons)
        }
    }

    private let bus: SessionBus
    private var shown: Content?
    /// The server's number for it; 0: it has not said one yet.
    private var id: UInt32 = 0
    /// Whether the server takes a text for markup.
    private var hasMarkup = false
    /// Whether the server has not answered yet: what is to be shown then comes after that.
    private var isSending = false
    private let pressed: @GLibLoop (_ action: Int) -> Void
    private let ended: @GLibLoop (_ byPerson: Bool) -> Void

    /// - Parameters:
    ///   - served: told whether there is a server; not at once.
    ///   - pressed: a button was pressed.
    ///   - ended: it could not be shown, or has gone, by the person or by itself.
    package init(
        on bus: SessionBus, served: @escaping @GLibLoop (_ isThere: Bool) -> Void,
        pressed: @escaping @GLibLoop (_ action: Int) -> Void, ended: @escaping @GLibLoop (_ byPerson: Bool) -> Void
    ) {
        (self.bus, self.pressed, self.ended) = (bus, pressed, ended)
        var wasThere = false
        bus.onOwner(of: Server.name) { [unowned self] isThere in
            // One that is not there yet may be started by the first notification.
            guard isThere || wasThere else { return }
            wasThere = true
            if !isThere { forget() }
            served(isThere)
        }
        bus.onSignal(of: Server.name, Server.path, Server.name) { [unowned self] in heard($0, $1) }
    }

    /// Shows this, in the place of what it shows already; `nil`: nothing.
    package func show(_ content: Content?) {
        guard content != shown else { return }
        shown = content
        guard !isSending else { return }
        send()
    }

    /// Sends what it is to show to the server.
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
        // Without buttons it would be no mark that parent mode can be ended by.
        bus.call(Server.name, Server.path, Server.name, "GetCapabilities", []) { [unowned self] answer in
            let abilities = answer?.elements.first?.strings ?? []
            guard abilities.contains("actions") else {
                failed()
                return
            }
            hasMarkup = abilities.contains("body-markup")
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
            // What was wanted meanwhile.
            if shown != content { send() }
        }
    }

    private func words(for content: Content) -> [BusValue] {
        let hints: [String: BusValue] = [
            // Critical ones stay until somebody puts them away.
            "urgency": .byte(2), "resident": .boolean(true), "suppress-sound": .boolean(true),
            "desktop-entry": .string("gate-presenter"), "category": .string("device"),
        ]
        return [
            .string("Gate"), .uint32(id), .string(content.padlock.iconName), .string(content.title),
            .string(hasMarkup ? content.text.escapedForMarkup : content.text),
            .array(of: "s", content.buttons.flatMap { [.string(String($0.action)), .string($0.label)] }),
            .dictionary(hints), .int32(0),
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
        case ("ActionInvoked", .string(let action)): if let action = Int(action) { pressed(action) }
        case ("NotificationClosed", .uint32(let reason)):
            forget()
            // 1: its time was over. 2: the person. 3: we. 4: nobody says.
            if reason != 3 { ended(reason == 2) }
        case _: break
        }
    }
}

extension String {
    /// As GTK's markup, and that of notifications, shows it.
    package var escapedForMarkup: String {
        guard let escaped = g_markup_escape_text(self, -1) else { return "" }
        defer { g_free(escaped) }
        return String(cString: escaped)
    }
}

/// The program of the desktop that shows notifications.
private enum Server {
    static let name = "org.freedesktop.Notifications"
    static let path = "/org/freedesktop/Notifications"
}
