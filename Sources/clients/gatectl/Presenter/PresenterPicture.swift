import GateModel
import GateScreens
import GateTexts

/// What a terminal that presents shows, row by row. Gate's own words are outside: the subject and who asks at the top,
/// the question and the input at the bottom. Others' words get the room between them, and each of their rows is marked.
/// So nothing that others write can move one of Gate's rows, or look like one.
struct PresenterPicture {
    let screen: PresenterScreen
    var elsewhere: PresentationElsewhere?
    let locale: TextLocale
    let colours: Colours
    let now: BootTime

    /// The rows to draw: at most as many as the screen has, and none wider than it.
    struct Layout: Hashable {
        var rows: [PresenterRow]
        /// In rows.
        var maximumScroll = 0
        /// Whether all of Gate's own rows are there. Otherwise the person can't know what they answer.
        var isWhole = true
        var frame: PresenterFrame?

        var lines: [String] { rows.map(\.text) }

        /// Everything that can be pressed, except the space beside a sheet.
        var places: Set<PresenterPlace> {
            Set(
                rows.enumerated().flatMap { index, row in
                    row.buttons.map { button in
                        PresenterPlace(
                            row: index,
                            columns: button.columns.lowerBound + row.column..<button.columns.upperBound + row.column,
                            target: button.target)
                    }
                })
        }

        /// What a press here means; `nil` if nothing can be pressed.
        func target(column: Int, row: Int) -> PresenterTarget? {
            if let frame, frame.isOutside(column: column, row: row) { return .dismiss }
            return rows.indices.contains(row) ? rows[row].target(column: column) : nil
        }
    }

    func layout(columns: Int, rows: Int) -> Layout {
        let columns = max(1, columns)
        let top = PresenterRow(clipped(header, columns))
        guard let presentation = screen.presentation else {
            let lines = [""] + idleLines(columns: columns) + [""]
            let all = [top] + lines.map { PresenterRow($0) } + footer(columns: columns, rows: rows)
            return Layout(rows: Array(all.prefix(rows)))
        }
        let frame = presentation.summary.style == .sheet ? PresenterFrame(columns: columns, rows: rows) : nil
        if let frame, var inside = content(of: presentation, in: frame) {
            inside.rows = [top] + frame.placed(inside.rows, locale: locale, colours: colours)
            inside.frame = frame
            return inside
        }
        if var whole = content(
            of: presentation, parts(of: presentation, columns: columns), columns: columns, rows: rows - 1)
        {
            whole.rows.insert(top, at: 0)
            return whole
        }
        let escape = presentation.summary.isDismissible ? " " + localized("Esc dismisses.") : ""
        let words = " " + localized("This terminal is too small for the question. Make it larger to answer.") + escape
        let lines = TextWidth.wrapped(words, columns: columns).map { PresenterRow($0) }
        return Layout(rows: Array(([top] + lines).prefix(rows)), isWhole: false)
    }

    /// Inside a frame the head needs no empty row above it, since the edge separates it.
    private func content(of presentation: Presentation, in frame: PresenterFrame) -> Layout? {
        let parts = parts(of: presentation, columns: frame.columns).map { part in
            var part = part
            part.head.removeAll { $0.isEmpty }
            return part
        }
        return content(of: presentation, parts, columns: frame.columns, rows: frame.rows)
    }

    /// The largest of the parts that fits. The smallest is cut if it has to be; `nil` if even that does not fit.
    private func content(of presentation: Presentation, _ parts: [Parts], columns: Int, rows: Int) -> Layout? {
        let footer = footer(columns: columns, rows: rows)
        for (index, part) in parts.enumerated() {
            let room = rows - part.head.count - part.question.count - footer.count
            let isLast = index == parts.count - 1
            guard part.middle.rows.count <= room || (isLast && room >= CutRows.minimumRoom) else { continue }
            let middle = part.middle.shown(
                in: room, scrolledBy: screen.scrolledLines, hint: localized("The arrow keys show them.")
            ) { colours.bold(TextWidth.wrapped(" \($0)", columns: columns)[0]) }
            let places = part.middle.places(in: room, scrolledBy: screen.scrolledLines)
            let filling = Array(repeating: PresenterRow(""), count: max(0, room - middle.count))
            return Layout(
                rows: part.head.map { PresenterRow($0) }
                    + zip(middle, places).map { text, place in
                        PresenterRow(
                            text, isForeign: text.hasPrefix(Self.quote), target: place.flatMap { part.targets[$0] })
                    } + part.question + filling + footer,
                maximumScroll: part.middle.maximumScroll(in: room))
        }
        return nil
    }

    // MARK: The parts

    private static let quote = " \(TextWidth.quote)"

    /// The first row. The account's name comes after Gate's own words, because others chose it.
    private var header: String {
        let left = screen.mode.deadline.map { DurationWords.leftBehind(now.duration(to: $0)) } ?? ""
        let name = screen.signIn.session.map { "  \(VisibleText.line($0.name))" } ?? ""
        return
            " \(colours.bold("Gate"))  \(colours.paint(ModeLine.word(for: screen.mode.mode), for: screen.mode.mode))\(left)\(name)"
    }

    private func idleLines(columns: Int) -> [String] {
        let waiting =
            switch screen.link {
            case .connecting: localized("Connecting to Gate.")
            case .registered: elsewhere.map(ElsewhereWords.sentence) ?? localized("Waiting. There is no question now.")
            case .lost: localized("Gate is not running. This continues when it is back.")
            }
        return TextWidth.wrapped(" \(waiting)", columns: columns) + noteLines(columns: columns)
    }

    func noteLines(columns: Int) -> [String] {
        guard let note = screen.note else { return [] }
        let text = note.isGood.map { colours.verdict(note.text, isGood: $0) } ?? note.text
        return indented(TextWidth.marked(text, columns: columns - 1))
    }

    /// What is between the screen's first row and the input.
    private struct Parts {
        /// The subject, and who asks.
        var head: [String]
        /// Others' words, and what is only to be read. It is cut if it does not fit.
        var middle: CutRows
        /// What a press on a row of `middle` means, by the row's index.
        var targets: [Int: PresenterTarget] = [:]
        var question: [PresenterRow] = []

        /// The parts without their empty rows, which only make reading easier.
        var withoutBlanks: Parts {
            let kept = middle.rows.indices.filter { !middle.rows[$0].isEmpty }
            let targets = kept.enumerated().compactMap { index, old in self.targets[old].map { (index, $0) } }
            return Parts(
                head: head.filter { !$0.isEmpty }, middle: CutRows(rows: kept.map { middle.rows[$0] }),
                targets: Dictionary(uniqueKeysWithValues: targets), question: question.filter { !$0.text.isEmpty })
        }
    }

    /// The parts in each size, the largest first.
    private func parts(of presentation: Presentation, columns: Int) -> [Parts] {
        let asked = AskedText(presentation.summary)
        let text = ContentText(
            presentation.content, locale: locale, isAppsOwn: presentation.summary.asked.isAppsOwn)
        let room = columns - 1
        let head = indented([""] + asked.headRows(colours: colours, columns: room))
        let details = indented(asked.detailRows(columns: room))
        let heading = indented([""] + TextWidth.wrapped(asked.heading, columns: room) + [""])
        switch presentation.content {
        case .challenge, .signIn:
            let all = questions(text, columns: room).map { question in
                Parts(
                    head: head, middle: CutRows(rows: details),
                    question: heading.map { PresenterRow($0) } + question.map { $0.indented() })
            }
            return all + (all.last.map { [$0.withoutBlanks] } ?? [])
        case .paywall, .form, .whatsNew, .unrecognized:
            let own = screen.form.prompt == nil ? ["", asked.heading, ""] : [""]
            let content = screen.form.prompt?.lines ?? text.plain(columns: room, colours: colours)
            var rows = details
            var targets: [Int: PresenterTarget] = [:]
            for (index, line) in (own + content).enumerated() {
                let appsRows = index < own.count ? nil : asked.appsRows(of: line, columns: room)
                let parts = indented(appsRows ?? TextWidth.marked(line, columns: room))
                if let target = formTarget(line: index - 1) {
                    for place in parts.indices { targets[rows.count + place] = target }
                }
                rows += parts
            }
            let whole = Parts(head: head, middle: CutRows(rows: rows), targets: targets)
            return [whole, whole.withoutBlanks]
        }
    }

    /// The choice on this line of the form's prompt; `nil` if there is none, or it can't be pressed now.
    private func formTarget(line: Int) -> PresenterTarget? {
        guard screen.form.isAsked, !screen.isChecking, !screen.isLocked else { return nil }
        return screen.form.prompt?.choices[line].map { .answer($0) }
    }

    /// The question in each size, the largest first.
    private func questions(_ text: ContentText, columns: Int) -> [[PresenterRow]] {
        func rows(_ lines: [String]) -> [PresenterRow] {
            lines.flatMap { text.rows(of: $0, columns: columns) }.map { PresenterRow($0) }
        }
        let buttons = PresenterButtons(items: choices, locale: locale, colours: colours)
        let below = choices.isEmpty ? [] : [PresenterRow("")]
        let large = rows(text.large(columns: columns, colours: colours, withChoices: false))
        let plain = rows(text.plain(columns: columns, colours: colours, withChoices: false))
        let boxes = buttons.boxes(columns: columns - 2).map { boxes in
            large + below + boxes.map { $0.indented(by: 2) }
        }
        let marked = buttons.rows(columns: columns - 2).map { $0.indented(by: 2) }
        return [boxes, large + below + marked, plain + buttons.rows(columns: columns)].compactMap(\.self)
    }

    /// The buttons of the choices. They have no effect while an answer is being checked, or while the person still has
    /// to confirm having read the question.
    private var choices: [PresenterButtons.Item] {
        guard case .challenge(let challenge) = screen.presentation?.content else { return [] }
        let isTaken = !screen.isLocked && !screen.isChecking
        func item(_ label: String, _ target: PresenterTarget) -> PresenterButtons.Item {
            PresenterButtons.Item(label: label, target: isTaken ? target : nil)
        }
        switch challenge.answering {
        case .result, .choice:
            return zip(AnswerText.letters, QuestionText(challenge, locale: locale).choices).map { letter, choice in
                item("\(letter)) \(choice)", .answer(String(letter)))
            }
        case .permission:
            return [
                item("n) " + ScreenWords.no, .answer("n")), item("y) " + ScreenWords.yesAllow, .answer("y")),
            ]
        case .hold: return [item(localized("Press and hold here"), .hold)]
        case .number, .date, .secret, .swipe: return []
        }
    }
}
