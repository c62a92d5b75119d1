import CGTK
import GateScreens
import GateWindows

/// A question of general knowledge, with a button for each choice, one below the other.
@GLibLoop
struct QuizBody: QuestionBody {
    private let interface = Interface(PackageResources.quiz_ui)
    let controls: [Widget]
    var widget: Widget { interface.widget("root") }

    init(_ question: String, choices: [String], _ told: @escaping @GLibLoop (ScreenInput) -> Void) {
        interface.widget("question").setText(question)
        controls = interface.widget("choices").appendChoices(choices, told)
        for choice in controls { choice.add(style: "sentence") }
    }

    func update(_ picture: ScreenModel) {}
    func takeFocus() {}
}

/// A permission. A no takes one act, a yes takes two.
@GLibLoop
struct ConfirmBody: QuestionBody {
    private let interface = Interface(PackageResources.confirm_ui)
    private let no: Widget
    private let yes: Widget
    let controls: [Widget]
    var widget: Widget { interface.widget("root") }

    init(_ question: String, _ told: @escaping @GLibLoop (ScreenInput) -> Void) {
        (no, yes) = (interface.widget("no"), interface.widget("yes"))
        controls = [no, yes]
        interface.widget("question").setText(question)
        no.setLabel(ScreenWords.no)
        no.on("clicked") { told(.chosen(ScreenInput.no)) }
        yes.on("clicked") { told(.chosen(ScreenInput.yes)) }
    }

    func update(_ picture: ScreenModel) {
        guard case .confirm(let question, let isSure) = picture.body else { return }
        interface.widget("question").setText(isSure ? ScreenWords.reallyAllow : question)
        yes.setLabel(isSure ? ScreenWords.yesAllow : ScreenWords.yes)
    }

    func takeFocus() {}
}

/// Three wheels for year, month and day. The wheel of years begins with this year, because pressing OK must not be
/// enough: nobody who may answer was born this year. A button goes back ten years at a time.
@GLibLoop
struct BirthdateBody: QuestionBody {
    private let interface = Interface(PackageResources.birthdate_ui)
    private let wheels: [Widget]
    let controls: [Widget]
    var widget: Widget { interface.widget("root") }

    init(_ birthdate: ScreenModel.Birthdate, _ told: @escaping @GLibLoop (ScreenInput) -> Void) {
        interface.widget("question").setText(birthdate.question)
        let made = birthdate.wheels.map { Self.wheel($0, years: birthdate.years) }
        for column in made { interface.widget("wheels").append(column.column) }
        wheels = made.map(\.wheel)
        let done = interface.widget("done")
        done.setLabel(ScreenWords.done)
        done.on("clicked") {
            var numbers: [ScreenModel.Birthdate.Wheel: Int] = [:]
            for (wheel, spin) in zip(birthdate.wheels, made) { numbers[wheel] = spin.wheel.number }
            told(.dated(year: numbers[.year] ?? 0, month: numbers[.month] ?? 0, day: numbers[.day] ?? 0))
        }
        controls = wheels + made.compactMap(\.decade) + [done]
    }

    private static func wheel(
        _ wheel: ScreenModel.Birthdate.Wheel, years: ClosedRange<Int>
    ) -> (column: Widget, wheel: Widget, decade: Widget?) {
        let (name, numbers) =
            switch wheel {
            case .year: (ScreenWords.year, years)
            case .month: (ScreenWords.month, 1...12)
            case .day: (ScreenWords.day, 1...31)
            }
        guard let made = gtk_spin_button_new_with_range(Double(numbers.lowerBound), Double(numbers.upperBound), 1)
        else {
            preconditionFailure("GTK makes no spin buttons")
        }
        let spin = Widget(made)
        gtk_orientable_set_orientation(spin.pointer, GTK_ORIENTATION_VERTICAL)
        gtk_spin_button_set_numeric(spin.pointer, 1)
        gtk_spin_button_set_wrap(spin.pointer, wheel == .year ? 0 : 1)
        gtk_spin_button_set_value(spin.pointer, Double(wheel == .year ? numbers.upperBound : numbers.lowerBound))
        gtk_editable_set_alignment(spin.pointer, 0.5)
        spin.setSpoken(name: name)
        spin.add(style: "wheel")
        let column = Widget.box(isRow: false, spacing: 6)
        let label = Widget.label(name, styles: ["dim-label"])
        gtk_label_set_xalign(label.pointer, 0.5)
        column.append(label)
        column.append(spin)
        guard wheel == .year else { return (column, spin, nil) }
        let decade = Widget.button("−10") { gtk_spin_button_spin(spin.pointer, GTK_SPIN_STEP_BACKWARD, 10) }
        gtk_widget_set_size_request(decade.widget, -1, 44)
        decade.setSpoken(name: ScreenWords.decadeEarlier)
        column.append(decade)
        return (column, spin, decade)
    }

    func update(_ picture: ScreenModel) {}
    func takeFocus() { wheels.first?.takeFocus() }
}
