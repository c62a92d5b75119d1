import GateModel
import GateScreens
import GateTexts

/// The bottom of the screen: the input, the buttons, and the time that is left.
extension PresenterPicture {
    func indented(_ lines: [String]) -> [String] { lines.map { $0.isEmpty ? "" : " \($0)" } }

    func clipped(_ text: String, _ columns: Int) -> String { TextWidth.marked(text, columns: columns)[0] }

    /// The input, and the time that is left. From 15 rows on, also the buttons and a line about keys, which a person
    /// with a keyboard can do without.
    func footer(columns: Int, rows: Int) -> [PresenterRow] {
        func fitted(_ text: String) -> [PresenterRow] {
            TextWidth.wrapped(text, columns: columns).map { PresenterRow($0) }
        }
        guard let presentation = screen.presentation else {
            return fitted(colours.dim(" " + localized("Ctrl-C leaves.")))
        }
        let notes = noteLines(columns: columns).map { PresenterRow($0) }
        let input = notes + inputRows(for: presentation, columns: columns)
        let countdown = countdown(columns: columns).flatMap(fitted)
        guard rows >= 15 else { return input + countdown }
        let buttons = PresenterButtons(items: buttons(for: presentation), locale: locale, colours: colours)
        let keys =
            presentation.summary.isDismissible
            ? localized("Esc dismisses. Ctrl-C leaves it to another screen.")
            : [presentation.content.lastingText, localized("Ctrl-C leaves it to another screen.")]
                .joined(separator: " ")
        return input + buttons.rows(columns: columns - 1).map { $0.indented() } + countdown
            + fitted(colours.dim(" " + keys))
    }

    /// The buttons that stand for Return, Escape, and the key r of a paywall.
    private func buttons(for presentation: Presentation) -> [PresenterButtons.Item] {
        var items: [PresenterButtons.Item] = []
        if !screen.isChecking {
            if screen.isLocked {
                items.append(PresenterButtons.Item(label: ScreenWords.haveRead, target: .enter))
            } else if presentation.content.takesLine, screen.form.isAsked || presentation.content.kind != .form {
                items.append(PresenterButtons.Item(label: ScreenWords.done, target: .enter))
            }
        }
        if case .paywall(let paywall) = presentation.content, paywall.isForSale, !screen.isChecking {
            items.append(PresenterButtons.Item(label: "r) \(ScreenWords.restore)", target: .restore))
        }
        if presentation.summary.isDismissible {
            items.append(PresenterButtons.Item(label: ScreenWords.notNow, target: .dismiss))
        }
        return items
    }

    private func inputRows(for presentation: Presentation, columns: Int) -> [PresenterRow] {
        func rows(_ lines: [String]) -> [PresenterRow] { indented(lines).map { PresenterRow($0) } }
        let room = columns - 1
        if screen.isLocked {
            return rows(
                TextWidth.wrapped(localized("Read who asks, and for what. Return lets you answer."), columns: room))
        }
        switch presentation.content {
        case .challenge(let challenge):
            return TextWidth.wrapped(prompt(for: challenge, columns: columns), columns: columns).map {
                PresenterRow($0)
            }
        case .signIn: return signInRows(columns: columns)
        case .paywall(let paywall):
            let words = screen.isChecking ? ScreenWords.oneMoment : paywall.isForSale ? ScreenWords.closesWhenPaid : ""
            return rows(TextWidth.wrapped(words, columns: room))
        case .form: return formLines(columns: columns).map { PresenterRow($0) }
        case .whatsNew(let notice):
            guard !screen.isChecking else { return rows([ScreenWords.oneMoment]) }
            let text = WhatsNewText(notice, isAppsOwn: presentation.summary.asked.isAppsOwn)
            let items = zip(text.buttons, ["", "s"]).map { PresenterButtons.Item(label: $0, target: .answer($1)) }
            // Each button has rows of its own, because an administrator or a package wrote its words.
            return items.flatMap { item in
                PresenterButtons(items: [item], locale: locale, colours: colours).rows(columns: room)
            }.map { $0.indented() } + rows(TextWidth.marked(text.request, columns: room))
        case .unrecognized: return []
        }
    }

    /// The notes and the input line of a form. The notes on the previous answer stay until there is another one.
    private func formLines(columns: Int) -> [String] {
        guard !screen.isChecking, screen.form.isAsked, let prompt = screen.form.prompt else {
            return [" " + ScreenWords.oneMoment]
        }
        let label = " \(prompt.request): "
        let room = max(0, columns - TextWidth.columns(of: label) - 1)
        let line = label + TextWidth.suffix(VisibleText.own(screen.form.typed), columns: room) + cursor
        let asked = screen.presentation.map { AskedText($0.summary) }
        let notes = prompt.notes.flatMap {
            asked?.appsRows(of: $0, columns: columns - 1) ?? TextWidth.marked($0, columns: columns - 1)
        }
        return indented(notes) + TextWidth.wrapped(line, columns: columns)
    }

    /// The two fields, the button, and a line for the progress, which is always there, so that nothing jumps.
    private func signInRows(columns: Int) -> [PresenterRow] {
        let fields = screen.fields
        let isBusy = screen.isAuthenticating
        let labels = [ScreenWords.name, ScreenWords.password]
        let width = (labels.map { TextWidth.columns(of: $0) }.max() ?? 0) + 1
        let (name, password) = (
            labels[0] + String(repeating: " ", count: width - TextWidth.columns(of: labels[0])),
            labels[1] + String(repeating: " ", count: width - TextWidth.columns(of: labels[1]))
        )
        let button = "[ \(isBusy ? ProgressLine.text : ScreenWords.signIn) ]"
        let strokes = ProgressLine.strokes(locale)
        let step = Int(now.nanoseconds / ProgressLine.interval.clampedNanoseconds % Int64(strokes.count))
        let lines = [
            field(name, fields.name, isHere: !isBusy && fields.field == .name, columns),
            field(
                password, fields.dots(locale.isUTF8 ? "•" : "*"), isHere: !isBusy && fields.field == .password,
                columns),
            " \(!isBusy && fields.canLogIn ? colours.bold(button) : colours.dim(button))",
            isBusy ? " \(strokes[step])" : "",
        ]
        let targets: [PresenterTarget?] = isBusy ? [] : [.field(.name), .field(.password), .enter]
        return lines.enumerated().flatMap { index, line in
            TextWidth.wrapped(line, columns: columns).map { text in
                var row = PresenterRow(text)
                // A field can be pressed anywhere in its row, since its text may fill it.
                if targets.indices.contains(index), let target = targets[index] {
                    let width = target == .enter ? TextWidth.columns(of: text) : columns
                    row.buttons = [PresenterRow.Button(columns: 0..<width, target: target)]
                }
                return row
            }
        }
    }

    private func field(_ label: String, _ text: String, isHere: Bool, _ columns: Int) -> String {
        let room = max(0, columns - TextWidth.columns(of: label) - 2)
        return " \(label)\(TextWidth.suffix(VisibleText.own(text), columns: room))\(isHere ? cursor : "")"
    }

    private var cursor: String { locale.isUTF8 ? "▏" : "_" }

    private func prompt(for challenge: Challenge, columns: Int) -> String {
        guard !screen.isChecking else { return " " + ScreenWords.oneMoment }
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
