import FoundationEssentials
import GateModel

/// What a program that shows a presentation says of the person, on one line of its output.
enum ProgramAnswer: Hashable {
    case input(PersonInput)
    case dismiss

    /// JSON, or plain text as a person would type it. `nil`: nothing that could be one.
    ///
    /// `{"text":"24"}`, `{"secret":"2468"}`, `{"dismiss":true}`, `{"pressed":true}`, `{"released":true}`,
    /// `{"swipe":{"direction":"left","fingers":3}}`. A secret as plain text leaves fewer copies behind.
    init?(_ line: Secret, to challenge: Challenge) {
        let fields = line.withBytes { bytes -> Fields? in
            guard bytes.first(where: { $0 != UInt8(ascii: " ") }) == UInt8(ascii: "{") else { return nil }
            return try? JSONDecoder().decode(Fields.self, from: Data(bytes))
        }
        if let fields {
            self.init(fields, to: challenge)
        } else if let input = AnswerText.input(line, to: challenge, isPressed: false) {
            self = .input(input)
        } else {
            return nil
        }
    }

    private struct Fields: Decodable {
        struct Swipe: Decodable {
            var direction: String
            var fingers: Int
        }

        var text: String?
        var secret: String?
        var dismiss: Bool?
        var pressed: Bool?
        var released: Bool?
        var swipe: Swipe?
    }

    private init?(_ fields: Fields, to challenge: Challenge) {
        var answers: [ProgramAnswer] = []
        if let text = fields.text, let input = AnswerText.input(Secret(text.utf8), to: challenge, isPressed: false) {
            answers.append(.input(input))
        }
        if let secret = fields.secret { answers.append(.input(.answer(.secret(Secret(secret.utf8))))) }
        if fields.dismiss == true { answers.append(.dismiss) }
        if fields.pressed == true { answers.append(.input(.pressed)) }
        if fields.released == true { answers.append(.input(.answer(.released))) }
        if let swipe = fields.swipe, let direction = SwipeGesture.Direction(rawValue: swipe.direction) {
            answers.append(.input(.answer(.swiped(SwipeGesture(direction, fingers: swipe.fingers)))))
        }
        guard answers.count == 1, let answer = answers.first else { return nil }
        self = answer
    }
}
