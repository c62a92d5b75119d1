package import GateModel

extension HomeAssistantOrder {
    /// The longest message from Home Assistant, in bytes.
    package static let messageBytes = 64
    private static let longestMinutes = 7 * 24 * 60

    /// Reads a message from Home Assistant: `lock`, `extend`, `extend` and whole minutes, up to a week; `approve` and the
    /// number of a question, alone or with `once` or an amount of time like `30m`; or `deny` and the number, alone or with
    /// `until-tomorrow`. `nil` if it is something else.
    package init?(payload: [UInt8]) {
        guard payload.count <= Self.messageBytes else { return nil }
        let words = payload.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        switch (words.first, words.count) {
        case ("lock", 1): self = .lock
        case ("extend", 1): self = .extend(nil)
        case ("extend", 2):
            guard words[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }), let minutes = Int(words[1]),
                (1...Self.longestMinutes).contains(minutes)
            else { return nil }
            self = .extend(.seconds(minutes * 60))
        case ("approve", 2), ("deny", 2), ("approve", 3), ("deny", 3):
            guard let number = UInt64(words[1]), number > 0, "\(number)" == words[1],
                let answer = Self.answer(isAllowed: words[0] == "approve", words.count == 3 ? words[2] : nil)
            else { return nil }
            self = .answer(number, answer)
        case (_, _): return nil
        }
    }

    /// gated checks again that Home Assistant allows nothing that lasts until it is taken back.
    private static func answer(isAllowed: Bool, _ word: String?) -> AskAnswer? {
        guard let word else { return isAllowed ? .yes(.once) : .no }
        switch AskAnswer(isAllowed: isAllowed, word: word) {
        case .yes(.once)?: return .yes(.once)
        case .yes(.time(let duration))?: return .yes(.time(duration))
        case .notUntilTomorrow?: return .notUntilTomorrow
        case .yes?, .no?, nil: return nil
        }
    }
}
