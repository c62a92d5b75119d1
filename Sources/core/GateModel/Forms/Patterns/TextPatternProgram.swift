/// A regular expression as a machine that is in many states at once (Thompson's construction). It reads each character
/// once, whatever the expression.
struct TextPatternProgram: Sendable {
    private enum State: Sendable {
        /// Reads one scalar of this set, then goes to the next state.
        case one(ScalarSet)
        /// Goes to the next state if the text begins here.
        case start
        /// Goes to the next state if the text ends here.
        case end
        /// Goes to this state without reading.
        case jump(Int)
        /// Goes to both states without reading.
        case split(Int, Int)
        /// The text matches if it ends here.
        case match
    }

    private var states: [State] = []

    /// At least 1.
    var stateCount: Int { states.count }

    init(_ node: TextPatternNode) throws(TextPattern.Mistake) {
        try append(node, offset: 0)
        states.append(.match)
    }

    // MARK: Building

    /// - Parameter offset: where the innermost repeat around the node is, in case the program becomes too large.
    private mutating func append(_ node: TextPatternNode, offset: Int) throws(TextPattern.Mistake) {
        switch node {
        case .one(let set): try emit(.one(set), offset: offset)
        case .start: try emit(.start, offset: offset)
        case .end: try emit(.end, offset: offset)
        case .sequence(let parts):
            for part in parts { try append(part, offset: offset) }
        case .choice(let alternatives):
            var jumps: [Int] = []
            for alternative in alternatives.dropLast() {
                let split = states.count
                try emit(.split(0, 0), offset: offset)
                try append(alternative, offset: offset)
                jumps.append(states.count)
                try emit(.jump(0), offset: offset)
                states[split] = .split(split + 1, states.count)
            }
            if let last = alternatives.last { try append(last, offset: offset) }
            for jump in jumps { states[jump] = .jump(states.count) }
        case .repeated(let part, let least, let most, let offset):
            try append(part, atLeast: least, atMost: most, offset: offset)
        }
    }

    private mutating func append(
        _ part: TextPatternNode, atLeast least: Int, atMost most: Int?, offset: Int
    ) throws(TextPattern.Mistake) {
        for _ in 0..<least {
            let before = states.count
            try append(part, offset: offset)
            // An empty part stays empty, however often it is repeated.
            if states.count == before { return }
        }
        guard let most else {
            let split = states.count
            try emit(.split(0, 0), offset: offset)
            try append(part, offset: offset)
            try emit(.jump(split), offset: offset)
            states[split] = .split(split + 1, states.count)
            return
        }
        var splits: [Int] = []
        for _ in least..<most {
            let split = states.count
            try emit(.split(0, 0), offset: offset)
            try append(part, offset: offset)
            if states.count == split + 1 {
                states.removeLast()
                break
            }
            splits.append(split)
        }
        for split in splits { states[split] = .split(split + 1, states.count) }
    }

    private mutating func emit(_ state: State, offset: Int) throws(TextPattern.Mistake) {
        guard states.count < TextPattern.maximumStateCount else {
            throw TextPattern.Mistake(
                message: "What is repeated here becomes too large. Repeat less, or give a maxLength instead.",
                offset: offset)
        }
        states.append(state)
    }

    // MARK: Matching

    func matches(_ scalars: String.UnicodeScalarView) -> Bool {
        var run = Run(stateCount: states.count)
        follow(0, atStart: true, atEnd: scalars.isEmpty, in: &run)
        var place = scalars.startIndex
        while place < scalars.endIndex {
            guard run.beginNext() else { return false }
            let value = scalars[place].value
            scalars.formIndex(after: &place)
            let atEnd = place == scalars.endIndex
            for state in run.current {
                guard case .one(let set) = states[state], set.contains(value) else { continue }
                follow(state + 1, atStart: false, atEnd: atEnd, in: &run)
            }
        }
        return run.matched
    }

    /// Enters a state, and all states that it reaches without reading.
    private func follow(_ state: Int, atStart: Bool, atEnd: Bool, in run: inout Run) {
        run.toFollow.append(state)
        while let state = run.toFollow.popLast() {
            guard run.entered(state) else { continue }
            switch states[state] {
            case .one: run.next.append(state)
            case .start: if atStart { run.toFollow.append(state + 1) }
            case .end: if atEnd { run.toFollow.append(state + 1) }
            case .jump(let target): run.toFollow.append(target)
            case .split(let first, let second):
                run.toFollow.append(second)
                run.toFollow.append(first)
            case .match: run.matched = true
            }
        }
    }

    /// The states of the machine between two characters.
    private struct Run {
        var current: [Int] = []
        var next: [Int] = []
        var toFollow: [Int] = []
        /// Whether the text matches if it ends here.
        var matched = false
        /// For each state, the number of the character at which it was last entered.
        private var lastEntered: [Int]
        private var character = 1

        init(stateCount: Int) {
            lastEntered = Array(repeating: 0, count: stateCount)
        }

        /// Returns whether the state is entered for the first time at this character.
        mutating func entered(_ state: Int) -> Bool {
            guard lastEntered[state] != character else { return false }
            lastEntered[state] = character
            return true
        }

        /// Goes on to the next character. Returns false if no state is left that could read it.
        mutating func beginNext() -> Bool {
            swap(&current, &next)
            next.removeAll(keepingCapacity: true)
            matched = false
            character += 1
            return !current.isEmpty
        }
    }
}
