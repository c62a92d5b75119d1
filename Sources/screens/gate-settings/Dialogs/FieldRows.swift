import CGTK
import GateScreens
import GateTexts
import GateWindows

/// The fields in a dialog's window, and what a person fills in.
@GLibLoop
final class FieldRows {
    private var texts: [SettingsDialog.Key: Widget] = [:]
    private(set) var secrets: [SettingsDialog.Key: SecretField] = [:]
    private var choices: [SettingsDialog.Key: (widget: Widget, values: [String])] = [:]
    private var first: Widget?
    private let fields: [SettingsDialog.Field]
    private let window: DialogWindow
    private let shows: (SettingsDialog.Key, SettingsDialog.Filled) -> Bool

    /// - Parameters:
    ///   - initial: what stands in the fields at first.
    ///   - shows: whether a field is seen with what is written and chosen in the fields; secrets are always seen.
    ///   - entered: called when Return is pressed in a field.
    init(
        _ fields: [SettingsDialog.Field], _ initial: [SettingsDialog.Key: String], in window: DialogWindow,
        shows: @escaping (SettingsDialog.Key, SettingsDialog.Filled) -> Bool = { _, _ in true },
        entered: @escaping @GLibLoop () -> Void
    ) {
        self.fields = fields
        self.window = window
        self.shows = shows
        first = fields.map { add($0, to: window, entered) }.first
        for (key, text) in initial {
            texts[key]?.setEntryText(text)
            if let (row, values) = choices[key], let place = values.firstIndex(of: text) {
                adw_combo_row_set_selected(UnsafeMutablePointer(row.pointer), guint(place))
            }
        }
        showFields()
        for row in texts.values {
            row.on("entry-activated", entered)
            row.on("changed") { [weak self] in self?.showFields() }
        }
        for (row, _) in choices.values { row.on("notify::selected") { [weak self] in self?.showFields() } }
    }

    /// Shows the fields that count with what is written and chosen now.
    private func showFields() {
        let written = SettingsDialog.Filled(texts: written)
        var hasChanged = false
        for (key, row) in texts.merging(choices.mapValues(\.widget), uniquingKeysWith: { row, _ in row }) {
            let isShown = shows(key, written)
            guard isShown != (gtk_widget_get_visible(row.widget) != 0) else { continue }
            row.setVisible(isShown)
            hasChanged = true
        }
        if hasChanged { window.fit() }
    }

    /// Gives the first field the keyboard.
    func takeFocus() { first?.takeFocus() }

    /// Gives the first secret the keyboard: reading the secrets has emptied their fields.
    func takeFocusAgain() {
        fields.lazy.compactMap { [secrets] field in
            if case .secret(let key, _) = field { secrets[key] } else { nil }
        }.first?.takeFocus()
    }

    /// What was filled in. The secrets are taken out of their fields.
    func taken() -> SettingsDialog.Filled {
        SettingsDialog.Filled(texts: written, secrets: secrets.mapValues { $0.take() })
    }

    /// What stands in the fields that are no secrets, and is chosen in the lists.
    private var written: [SettingsDialog.Key: String] {
        var written = texts.mapValues(\.text)
        for (key, choice) in choices {
            let place = Int(adw_combo_row_get_selected(UnsafeMutablePointer(choice.widget.pointer)))
            if choice.values.indices.contains(place) { written[key] = choice.values[place] }
        }
        return written
    }

    private func add(
        _ field: SettingsDialog.Field, to window: DialogWindow, _ entered: @escaping @GLibLoop () -> Void
    ) -> Widget {
        let row: Widget
        switch field {
        case .text(let key, let label, let hint):
            row = Self.row(adw_entry_row_new(), hint.isEmpty ? label : ListText.noted(label, hint))
            texts[key] = row
        case .secret(let key, let label):
            let secret = window.addSecret(label)
            secrets[key] = secret
            secret.onEntered(entered)
            return secret.widget
        case .choice(let key, let label, let choices):
            row = Self.row(adw_combo_row_new(), label)
            let model = gtk_string_list_new(nil)
            for choice in choices { gtk_string_list_append(model, choice.title) }
            adw_combo_row_set_model(UnsafeMutablePointer(row.pointer), model)
            g_object_unref(model.map { UnsafeMutableRawPointer($0) })
            // The chosen text stands below the label, where there is room for all of it.
            adw_combo_row_set_use_subtitle(UnsafeMutablePointer(row.pointer), 1)
            self.choices[key] = (row, choices.map(\.name))
        }
        window.add(row)
        return row
    }

    private static func row(_ made: UnsafeMutablePointer<GtkWidget>?, _ label: String) -> Widget {
        guard let made else { preconditionFailure("libadwaita makes no rows") }
        let row = Widget(made)
        adw_preferences_row_set_use_markup(UnsafeMutablePointer(row.pointer), 0)
        adw_preferences_row_set_title(UnsafeMutablePointer(row.pointer), label)
        row.setSpoken(name: label)
        // The keyboard focus is in the row's inner field, so that needs the name too.
        row.innerField?.setSpoken(name: label)
        return row
    }
}

extension Widget {
    /// The text field inside of this row; `nil` if it has none.
    fileprivate var innerField: Widget? {
        let isEditable = g_type_check_instance_is_a(
            UnsafeMutablePointer<GTypeInstance>(pointer), gtk_editable_get_type())
        guard isEditable != 0 else { return nil }
        return gtk_editable_get_delegate(pointer).map { Widget($0) }
    }
}
