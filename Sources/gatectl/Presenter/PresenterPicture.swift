import GateModel

/// What a terminal that presents shows, line by line.
struct PresenterPicture {
    let screen: PresenterScreen
    let locale: TextLocale
    let colours: Colours
    let now: BootTime

    /// So many lines, none wider than the screen.
    struct Layout: Hashable {
        var lines: [String]
        /// How far can be scrolled.
        var maximumScroll = 0
    }

    func layout(columns: Int, rows: Int) -> Layout {
        let top = Self.fitted([header], columns)
        let bottom = Self.fitted(footer(columns: columns, rows: rows), columns)
        guard let presentation = screen.presentation else {
            let lines = top + [""] + Self.fitted(idleLines, columns) + [""] + bottom
            return Layout(lines: Array(lines.prefix(rows)))
        }
        let room = max(1, rows - top.count - bottom.count)
        let body = body(of: presentation, columns: columns, rows: room)
        let scroll = min(screen.scrolledLines, max(0, body.count - room))
        var visible = Array(body.dropFirst(scroll).prefix(room))
        if body.count > scroll + room, let last = visible.indices.last {
            let more = locale.isUTF8 ? "↓ There is more. ↓" : "There is more: arrow down."
            visible[last] = colours.bold(String(more.prefix(columns)))
        }
        let filling = Array(repeating: "", count: max(0, room - visible.count))
        return Layout(
            lines: Array((top + visible + filling + bottom).prefix(rows)), maximumScroll: max(0, body.count - room))
    }

    // MARK: The parts

    private var header: String {
        let left = screen.mode.deadline.map { "  \(DurationText.clock(now.duration(to: $0))) left" } ?? ""
        let name = screen.signIn.session.map { "  \(VisibleText.line($0.name))" } ?? ""
        return
            " \(colours.bold("Gate"))  \(colours.paint(screen.mode.mode.rawValue, for: screen.mode.mode))\(left)\(name)"
    }

    private var idleLines: [String] {
        let waiting =
            switch screen.link {
            case .connecting: "Connecting to the daemon."
            case .registered: "Waiting. Nothing is asked."
            case .lost: "The daemon is away. This goes on when it is back."
            }
        return [" \(waiting)"] + noteLines
    }

    private var noteLines: [String] {
        guard let note = screen.note else { return [] }
        return [" \(note.isGood.map { colours.verdict(note.text, isGood: $0) } ?? note.text)"]
    }

    /// The largest that fits; where none does, the smallest, to be scrolled.
    private func body(of presentation: Presentation, columns: Int, rows: Int) -> [String] {
        let text = ContentText(presentation.content, locale: locale)
        let asked = AskedText(presentation.summary)
        if let prompt = screen.form.prompt {
            // Who asks for the form stands above its first item, as far as there is room.
            let item = prompt.lines.map { $0.isEmpty ? "" : " \($0)" }
            let whole = Self.fitted([""] + asked.lines(colours: colours).map { " \($0)" } + [""] + item, columns)
            return whole.count <= rows ? whole : Self.fitted(item, columns)
        }
        let head = [""] + asked.lines(colours: colours) + ["", asked.heading, ""]
        let room = columns - 2
        var body: [String] = []
        for question in [text.large(columns: room, colours: colours), text.plain(colours: colours)] {
            body = Self.fitted((head + question).map { $0.isEmpty ? "" : " \($0)" }, columns)
            if body.count <= rows { return body }
        }
        return body.filter { !$0.isEmpty }
    }

    /// What is typed, and how long there is; the keys too, where there is room for what everybody knows.
    private func footer(columns: Int, rows: Int) -> [String] {
        guard let presentation = screen.presentation else { return [colours.dim(" q leaves.")] }
        let input = noteLines + inputLines(for: presentation, columns: columns) + countdown(columns: columns)
        guard rows >= 16 else { return input }
        let escape = presentation.summary.isDismissible ? "Esc dismisses. " : ""
        return input + [colours.dim(" \(escape)Ctrl-C leaves it to another screen.")]
    }

    private func inputLines(for presentation: Presentation, columns: Int) -> [String] {
        switch presentation.content {
        case .challenge(let challenge): [prompt(for: challenge, columns: columns)]
        case .signIn: signInLines(columns: columns)
        case .paywall: [screen.isChecking ? " One moment." : " This closes by itself when it is paid for."]
        case .form: formLines(columns: columns)
        case .whatsNew(let notice): [screen.isChecking ? " One moment." : " \(WhatsNewText(notice).request)"]
        }
    }

    /// What is wrong with the answer before stands until there is another one.
    private func formLines(columns: Int) -> [String] {
        guard !screen.isChecking, screen.form.isAsked, let prompt = screen.form.prompt else { return [" One moment."] }
        let label = " \(prompt.request): "
        let room = max(0, columns - TextWidth.columns(of: label) - 1)
        let line = label + TextWidth.suffix(VisibleText.line(screen.form.typed), columns: room) + cursor
        return prompt.notes.map { " \($0)" } + [line]
    }

    /// The two fields, the button, and a line for the progress, which is there before and after (F-66, F-68).
    private func signInLines(columns: Int) -> [String] {
        let fields = screen.fields
        let isBusy = screen.isAuthenticating
        let button = "[ \(isBusy ? ProgressLine.text : "Log in") ]"
        let strokes = ProgressLine.strokes(locale)
        let step = Int(now.nanoseconds / ProgressLine.interval.clampedNanoseconds % Int64(strokes.count))
        return [
            field("Name:     ", fields.name, isHere: !isBusy && fields.field == .name, columns),
            field(
                "Password: ", fields.dots(locale.isUTF8 ? "•" : "*"), isHere: !isBusy && fields.field == .password,
                columns),
            " \(!isBusy && fields.canLogIn ? colours.bold(button) : colours.dim(button))",
            isBusy ? " \(strokes[step])" : "",
        ]
    }

    private func field(_ label: String, _ text: String, isHere: Bool, _ columns: Int) -> String {
        let room = max(0, columns - TextWidth.columns(of: label) - 2)
        return " \(label)\(TextWidth.suffix(VisibleText.line(text), columns: room))\(isHere ? cursor : "")"
    }

    private var cursor: String { locale.isUTF8 ? "▏" : "_" }

    private func prompt(for challenge: Challenge, columns: Int) -> String {
        guard !screen.isChecking else { return " One moment." }
        let request = AnswerText.request(for: challenge, isPressed: screen.pressedAt != nil, onTerminal: true)
        let pressed = screen.pressedAt.map { " (\(DurationText.clock($0.duration(to: now))))" } ?? ""
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
        let text = "\(DurationText.clock(left)) left"
        guard width > 4, whole > .zero else { return [" \(text)"] }
        let full = min(width, Int((left / whole * Double(width)).rounded(.up)))
        let bar = String(repeating: locale.ink, count: full)
        let rest = String(repeating: locale.isUTF8 ? "·" : "-", count: width - full)
        return [" [\(bar)\(rest)] \(text)"]
    }

    private static func fitted(_ lines: [String], _ columns: Int) -> [String] {
        lines.flatMap { TextWidth.wrapped($0, columns: max(1, columns)) }
    }
}
