import GateModel

/// A page of gate-settings, as it is drawn.
package struct SettingsPage: Hashable, Sendable {
    /// The pages, in the order of the sidebar.
    package enum ID: String, Hashable, Sendable, CaseIterable {
        /// The mode.
        case padlock
        /// The asks: questions that wait for a grown-up, and those that were answered.
        case questions
        /// The time that people have used, and have left.
        case time
        /// The apps of the menu, and what guards them.
        case apps
        /// The apps that ask how old a person is, and the choice about each.
        case ages
        /// The devices of the household.
        case devices
        /// The gated actions, and kept grants.
        case gates
        /// The list of people, and who is signed in.
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

    package var id: ID
    package var groups: [SettingsGroup]

    package init(_ id: ID, _ groups: [SettingsGroup]) {
        self.id = id
        self.groups = groups
    }
}

/// Rows under one heading.
package struct SettingsGroup: Hashable, Sendable {
    /// The name of the group on its page, which never changes.
    package var id: String
    /// The heading. May be empty.
    package var title: String
    /// The text below the heading. May be empty.
    package var text: String
    package var rows: [SettingsRow]
    /// The buttons below the rows.
    package var buttons: [SettingsButton]
    package var plot: MonthPlot?
    package var week: WeekPlot?
    package var filter: JournalFilterChoices?

    package init(
        _ id: String, title: String = "", text: String = "", rows: [SettingsRow] = [], buttons: [SettingsButton] = [],
        plot: MonthPlot? = nil, week: WeekPlot? = nil, filter: JournalFilterChoices? = nil
    ) {
        self.id = id
        self.title = title
        self.text = text
        self.rows = rows
        self.buttons = buttons
        self.plot = plot
        self.week = week
        self.filter = filter
    }
}

/// A line of a group, with a text below its title. Both are plain text and may contain words that Gate did not write.
package struct SettingsRow: Hashable, Sendable {
    package enum Icon: Hashable, Sendable {
        /// A symbol that each desktop has.
        case symbol(String)
        /// The icon of an app, as its menu entry says it: a name, or an absolute path. May be empty.
        case app(String)
    }

    /// The name of the row in its group, which never changes.
    package var id: String
    package var title: String
    /// The text below the title. May be empty.
    package var text: String
    /// The icon before it; `nil` if there is none.
    package var icon: Icon?
    /// The buttons at its end.
    package var buttons: [SettingsButton]
    /// The rows that unfold below it.
    package var details: [SettingsRow]

    package init(
        _ id: String, _ title: String, _ text: String = "", icon: Icon? = nil, buttons: [SettingsButton] = [],
        details: [SettingsRow] = []
    ) {
        self.id = id
        self.title = title.replacingHidden
        // The line breaks of `text` remain. Other hidden characters are made visible.
        self.text = text.split(separator: "\n").map { String($0).replacingHidden }.joined(separator: "\n")
        self.icon = icon
        self.buttons = buttons
        self.details = details
    }
}

package struct SettingsButton: Hashable, Sendable {
    package enum Look: Hashable, Sendable {
        case plain
        /// The button that the person probably wants.
        case suggested
        case destructive
    }

    package var title: String
    /// The words for a screen reader, which also say what the button is about.
    package var spoken: String
    package var act: SettingsAct
    package var look: Look
    package var isEnabled: Bool

    package init(_ title: String, spoken: String? = nil, _ act: SettingsAct, look: Look = .plain) {
        self.title = title
        self.spoken = spoken?.replacingHidden ?? title
        self.act = act
        self.look = look
        isEnabled = true
    }
}
