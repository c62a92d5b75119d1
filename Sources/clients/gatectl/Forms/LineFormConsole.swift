import GateModel

/// Asks for a form line after line, on a terminal or a plain pipe: each line that is read is an answer.
struct LineFormConsole: FormConsole {
    let input: AnswerInput
    let output: Output
    let signal: Wakeup
    /// When the form is taken away; `nil` if it has no deadline, or the daemon's clock can't be read here.
    let deadline: BootTime?
    /// `nil` if the form belongs to no presentation.
    var asked: AskedText?
    let locale = TextLocale.ofEnvironment()

    var colours: Colours {
        switch input {
        case .terminal(let terminal): .ofTerminal(terminal.output)
        case .lines: .none
        }
    }

    func ask(_ prompt: FormPrompt) async -> AnswerInput.Typed {
        let lines = prompt.isRepeated ? [] : prompt.lines
        switch input {
        case .terminal(let terminal):
            let columns = max(10, terminal.columns)
            let shown = (prompt.isRepeated ? [] : [""]) + lines + prompt.notes.map { "  \($0)" }
            let rows = shown.flatMap {
                asked?.appsRows(of: $0, columns: columns) ?? TextWidth.marked($0, columns: columns)
            }
            let text = rows.map { "\($0)\n" }.joined()
            terminal.draw(text)
            if Colours.isDumb { terminal.draw("\(prompt.request): ") }
        case .lines:
            // With --json, standard output is reserved for the result.
            func marked(_ line: String) -> String { asked?.appsRows(of: line)?.joined() ?? line }
            if !output.isJSON { for line in lines { output.line(marked(line)) } }
            for note in prompt.notes { output.note(marked(note)) }
        }
        return await input.next(AnswerInput.Prompt(inForm: prompt.request, deadline: deadline), signal: signal)
    }
}
