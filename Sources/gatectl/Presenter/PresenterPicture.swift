import GateModel
import GateTexts

/// The picture on a terminal that presents, row by row.
///
/// Gate's own words come first: what it is about and who asks at the top, what is asked and what is typed at the bottom. What
/// others wrote has what is left between them, and every row of it is marked. So nothing that anybody writes moves a row of
/// Gate's, or looks like one.
struct PresenterPicture {
    let screen: PresenterScreen
    /// On another screen, and not for this one.
    var elsewhere: PresentationElsewhere?
    let locale: TextLocale
    let colours: Colours
    let now: BootTime

    struct Row: Hashable {
        var text: String
        /// Others' words alone: drawn before Gate's own, so that nothing of it is drawn over them.
        var isForeign = false
    }

    /// So many rows at most, none wider than the screen.
    struct Layout: Hashable {
        var rows: [Row]
        /// How far can be scrolled.
        var maximumScroll = 0
        /// Whether all of Gate's own rows are there. Else nobody knows what they would answer.
        var isWhole = true

        var lines: [String] { rows.map(\.text) }
    }

    func layout(columns: Int, rows: Int) -> Layout {
        let columns = max(1, columns)
        let top = [clipped(header, columns)]
        let footer = footer(columns: columns, rows: rows)
        guard let presentation = screen.presentation else {
            let lines = top + [""] + idleLines(columns: columns) + [""] + footer
            return Layout(rows: lines.prefix(rows).map { Row(text: $0) })
        }
        let parts = parts(of: presentation, columns: columns)
        for (index, part) in parts.enumerated() {
            let room = rows - top.count - part.head.count - part.question.count - footer.count
            let isLast = index == parts.count - 1
            guard part.middle.rows.count <= room || (isLast && room >= CutRows.minimumRoom) else { continue }
            let middle = part.middle.shown(
                in: room, scrolledBy: screen.scrolledLines, hint: localized("The arrow keys show them.")
            ) { colours.bold(TextWidth.wrapped(" \($0)", columns: columns)[0]) }
            let filling = Array(repeating: "", count: max(0, room - middle.count))
            return Layout(
                rows: (top + part.head).map { Row(text: $0) }
                    + middle.map { Row(text: $0, isForeign: $0.hasPrefix(Self.quote)) }
                    + (part.question + filling + footer).map { Row(text: $0) },
                maximumScroll: part.middle.maximumScroll(in: room))
        }
        let escape = presentation.summary.isDismissible ? " " + localized("Esc dismisses.") : ""
        let words = " " + localized("This terminal is too small for what is asked. Make it larger to answer.") + escape
        let lines = top + TextWidth.wrapped(words, columns: columns)
        return Layout(rows: lines.prefix(rows).map { Row(text: $0) }, isWhole: false)
    }

    // MARK: The parts

    private static let quote = " \(TextWidth.quote)"

    /// The header: what others chose, the name, comes after what is Gate's.
    private var header: String {
        let left = screen.mode.deadline.map { "  " + DurationWords.left(now.duration(to: $0)) } ?? ""
        let name = screen.signIn.session.map { "  \(VisibleText.line($0.name))" } ?? ""
        return
            " \(colours.bold("Gate"))  \(colours.paint(ModeLine.word(for: screen.mode.mode), for: screen.mode.mode))\(left)\(name)"
    }

    private func idleLines(columns: Int) -> [String] {
        let waiting =
            switch screen.link {
            case .connecting: localized("Connecting to Gate.")
            case .registered: elsewhere.map(ElsewhereWords.sentence) ?? localized("Waiting. Nothing is asked.")
            case .lost: localized("Gate is away. This goes on when it is back.")
            }
        return TextWidth.wrapped(" \(waiting)", columns: columns) + noteLines(columns: columns)
    }

    private func noteLines(columns: Int) -> [String] {
        guard let note = screen.note else { return [] }
        let text = note.isGood.map { colours.verdict(note.text, isGood: $0) } ?? note.text
        return indented(TextWidth.marked(text, columns: columns - 1))
    }

    /// The parts of the screen between its first row and what is typed.
    private struct Parts {
        /// The subject, and who asks.
        var head: [String]
        /// The words of others, and what is only to be read: cut where there is no room for it.
        var middle: CutRows
        /// The question.
        var question: [String] = []

        /// The same without what is only there to be easier on the eye.
        var withoutBlanks: Parts {
            Parts(
                head: head.filter { !$0.isEmpty }, middle: CutRows(rows: middle.rows.filter { !$0.isEmpty }),
                question: question.filter { !$0.isEmpty })
        }
    }

    /// The largest first.
    private func parts(of presentation: Presentation, columns: Int) -> [Parts] {
        let asked = AskedText(presentation.summary)
        let text = ContentText(presentation.content, locale: locale)
        let room = columns - 1
        let head = [""] + indented(asked.headRows(colours: colours, columns: room))
        let details = indented(asked.detailRows(columns: room))
        let heading = [""] + indented(TextWidth.wrapped(asked.heading, columns: room)) + [""]
        switch presentation.content {
        case .challenge, .signIn:
            let sizes = [text.large(columns: room, colours: colours), text.plain(columns: room, colours: colours)]
            let all = sizes.map { question in
                Parts(
                    head: head, middle: CutRows(rows: details),
                    question: heading + indented(question.flatMap { text.rows(of: $0, columns: room) }))
            }
            return all + [all[1].withoutBlanks]
        case .paywall, .form, .whatsNew, .unrecognized:
            let content: [String]
            if let prompt = screen.form.prompt {
                content = [""] + prompt.lines
            } else {
                content = ["", asked.heading, ""] + text.plain(columns: room, colours: colours)
            }
            let rows = indented(content.flatMap { TextWidth.marked($0, columns: room) })
            let whole = Parts(head: head, middle: CutRows(rows: details + rows))
            return [whole, whole.withoutBlanks]
        }
    }

    private func indented(_ lines: [String]) -> [String] { lines.map { $0.isEmpty ? "" : " \($0)" } }

    private func clipped(_ text: String, _ columns: Int) -> String { TextWidth.marked(text, columns: columns)[0] }

    /// The input, and how long there is; the keys too, where there is room for what everybody knows.
    private func footer(columns: Int, rows: Int) -> [String] {
        func fitted(_ lines: [String]) -> [String] { lines.flatMap { TextWidth.wrapped($0, columns: columns) } }
        guard let presentation = screen.presentation else {
            return fitted([colours.dim(" " + localized("Ctrl-C leaves."))])
        }
        let input =
            noteLines(columns: columns) + inputLines(for: presentation, columns: columns)
            + fitted(countdown(columns: columns))
        guard rows >= 16 else { return input }
        let keys =
            presentation.summary.isDismissible
            ? localized("Esc dismisses. Ctrl-C leaves it to another screen.")
            : localized("Ctrl-C leaves it to another screen.")
        return input + fitted([colours.dim(" " + keys)])
    }

    private func inputLines(for presentation: Presentation, columns: Int) -> [String] {
        let room = columns - 1
        if screen.isLocked {
            return indented(
                TextWidth.wrapped(localized("Read who asks, and for what. Return lets you answer."), columns: room))
        }
        switch presentation.content {
        case .challenge(let challenge):
            return TextWidth.wrapped(prompt(for: challenge, columns: columns), columns: columns)
        case .signIn: return signInLines(columns: columns).flatMap { TextWidth.wrapped($0, columns: columns) }
        case .paywall:
            let words =
                screen.isChecking ? localized("One moment.") : localized("This closes by itself when it is paid for.")
            return indented(TextWidth.wrapped(words, columns: room))
        case .form: return formLines(columns: columns)
        case .whatsNew(let notice):
            let words = screen.isChecking ? localized("One moment.") : WhatsNewText(notice).request
            return indented(TextWidth.marked(words, columns: room))
        case .unrecognized: return []
        }
    }

    /// The lines of the form. What is wrong with the answer before stands until there is another one.
    private func formLines(columns: Int) -> [String] {
        guard !screen.isChecking, screen.form.isAsked, let prompt = screen.form.prompt else {
            return [" " + localized("One moment.")]
        }
        let label = " \(prompt.request): "
        let room = max(0, columns - TextWidth.columns(of: label) - 1)
        let line = label + TextWidth.suffix(VisibleText.own(screen.form.typed), columns: room) + cursor
        let notes = prompt.notes.flatMap { TextWidth.marked($0, columns: columns - 1) }
        return indented(notes) + TextWidth.wrapped(line, columns: columns)
    }

    /// The two fields, the button, and a line for the progress, which is there before and after (F-66, F-68).
    private func signInLines(columns: Int) -> [String] {
        let fields = screen.fields
        let isBusy = screen.isAuthenticating
        let labels = [localized("Name:"), localized("Password:")]
        let width = (labels.map { TextWidth.columns(of: $0) }.max() ?? 0) + 1
        let (name, password) = (
            labels[0] + String(repeating: " ", count: width - TextWidth.columns(of: labels[0])),
            labels[1] + String(repeating: " ", count: width - TextWidth.columns(of: labels[1]))
        )
        let button = "[ \(isBusy ? ProgressLine.text : localized("Log in")) ]"
        let strokes = ProgressLine.strokes(locale)
        let step = Int(now.nanoseconds / ProgressLine.interval.clampedNanoseconds % Int64(strokes.count))
        return [
            field(name, fields.name, isHere: !isBusy && fields.field == .name, columns),
            field(
                password, fields.dots(locale.isUTF8 ? "•" : "*"), isHere: !isBusy && fields.field == .password,
                columns),
            " \(!isBusy && fields.canLogIn ? colours.bold(button) : colours.dim(button))",
            isBusy ? " \(strokes[step])" : "",
        ]
    }

    private func field(_ label: String, _ text: String, isHere: Bool, _ columns: Int) -> String {
        let room = max(0, columns - TextWidth.columns(of: label) - 2)
        return " \(label)\(TextWidth.suffix(VisibleText.own(text), columns: room))\(isHere ? cursor : "")"
    }

    private var cursor: String { locale.isUTF8 ? "▏" : "_" }

    private func prompt(for challenge: Challenge, columns: Int) -> String {
        guard !screen.isChecking else { return " " + localized("One moment.") }
        let request = AnswerText.request(for: challenge, isPressed: screen.pressedAt != nil, onTerminal: true)
        let pressed = screen.pressedAt.map { " (\(DurationWords.clock($0.duration(to: now))))" } ?? ""
        let label = " \(request)\(pressed): "
        let room = max(0, columns - TextWidth.columns(of: label) - 1)
        return label + TextWidth.suffix(screen.typed, columns: room) + cursor
    }

    /// `[██████······] 0:42 left`
    private func countdown(columns: Int) -> [String] {
        guard let presentation = screen.presentation, let cameAt = screen.cameAt else { return [] }
        let whole = cameAt.duration(to: presentation.deadline)
        let left = min(max(now.duration(to: presentation.deadline), .zero), whole)
        let width = min(40, columns - 16)
        let text = DurationWords.left(left)
        guard width > 4, whole > .zero else { return [" \(text)"] }
        let full = min(width, Int((left / whole * Double(width)).rounded(.up)))
        let bar = String(repeating: locale.ink, count: full)
        let rest = String(repeating: locale.isUTF8 ? "·" : "-", count: width - full)
        return [" [\(bar)\(rest)] \(text)"]
    }
}
