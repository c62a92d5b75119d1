import GateModel

/// A page of gate-settings, as it is drawn (S-12).
package struct SettingsPage: Hashable, Sendable {
    /// A page, in the order in which the sidebar has them.
    package enum ID: String, Hashable, Sendable, CaseIterable {
        /// The mode.
        case padlock
        /// The devices of the household.
        case devices
        /// The gated actions, and kept grants.
        case gates
        /// Accounts, and who is signed in.
        case people
        /// Entitlements, claims and offers.
        case purchases
        /// Forms, drafts and responses.
        case forms
        /// Wrong answers.
        case lockouts
        /// The journal, with the plot of a month.
        case journal
        /// The passcode and the authenticator.
        case secrets
        /// The policy in force, with its odds.
        case policy
    }

    /// The page that it is.
    package var id: ID
    /// Its groups, from above.
    package var groups: [SettingsGroup]

    package init(_ id: ID, _ groups: [SettingsGroup]) {
        self.id = id
        self.groups = groups
    }
}

/// Rows under one heading.
package struct SettingsGroup: Hashable, Sendable {
    /// Its name on its page, which stays.
    package var id: String
    /// The heading. May be empty.
    package var title: String
    /// The text below the heading. May be empty.
    package var text: String
    /// The rows, from above.
    package var rows: [SettingsRow]
    /// The buttons below the rows.
    package var buttons: [SettingsButton]
    /// The plot above the rows.
    package var plot: MonthPlot?
    /// The filter of the journal above the rows.
    package var filter: JournalFilterChoices?

    package init(
        _ id: String, title: String = "", text: String = "", rows: [SettingsRow] = [], buttons: [SettingsButton] = [],
        plot: MonthPlot? = nil, filter: JournalFilterChoices? = nil
    ) {
        self.id = id
        self.title = title
        self.text = text
        self.rows = rows
        self.buttons = buttons
        self.plot = plot
        self.filter = filter
    }
}

/// One line of a group, with a text below its title. What stands in it is plain text, which may hold the words of others.
package struct SettingsRow: Hashable, Sendable {
    /// Its name in its group, which stays.
    package var id: String
    /// The line itself.
    package var title: String
    /// The text below it. May be empty.
    package var text: String
    /// The name of the picture before it; `nil`: there is none.
    package var icon: String?
    /// The buttons at its end.
    package var buttons: [SettingsButton]
    /// The lines that unfold below it.
    package var details: [SettingsRow]

    package init(
        _ id: String, _ title: String, _ text: String = "", icon: String? = nil, buttons: [SettingsButton] = [],
        details: [SettingsRow] = []
    ) {
        self.id = id
        self.title = title.replacingHidden
        // Its own lines stay; all else that is hidden is seen.
        self.text = text.split(separator: "\n").map { String($0).replacingHidden }.joined(separator: "\n")
        self.icon = icon
        self.buttons = buttons
        self.details = details
    }
}

/// A button, and what it does.
package struct SettingsButton: Hashable, Sendable {
    /// How it looks.
    package enum Look: Hashable, Sendable {
        /// As any button.
        case plain
        /// As the one that is meant.
        case suggested
        /// As one that takes something away.
        case destructive
    }

    /// The word on it.
    package var title: String
    /// The words of a screen reader, which also name what it is about.
    package var spoken: String
    /// The act that it does.
    package var act: SettingsAct
    package var look: Look
    /// Whether it can be pressed.
    package var isEnabled: Bool

    package init(_ title: String, spoken: String? = nil, _ act: SettingsAct, look: Look = .plain) {
        self.title = title
        self.spoken = spoken?.replacingHidden ?? title
        self.act = act
        self.look = look
        isEnabled = true
    }
}
