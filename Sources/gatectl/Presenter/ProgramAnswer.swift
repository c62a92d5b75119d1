import FoundationEssentials
import GateModel

/// What a program that shows a presentation says of the person, on one line of its output.
enum ProgramAnswer: Hashable {
    case input(PersonInput)
    case logIn(name: String, password: Secret)
    case dismiss

    /// What is an answer to this; `nil`: nothing that could be one. A paywall has none, and can only be dismissed; a sign-in
    /// `{"name":"anna","password":"…"}`, or `{"dismissed":true}`.
    init?(_ line: Secret, to content: Presentation.Content) {
        switch content {
        case .challenge(let challenge):
            self.init(line, to: challenge)
        case .signIn:
            guard let fields = Fields(line) else { return nil }
            switch (fields.name, fields.password, fields.isDismissal) {
            case (let name?, let password?, false): self = .logIn(name: name, password: Secret(password.utf8))
            case (nil, nil, true): self = .dismiss
            case _: return nil
            }
        case .paywall:
            guard let fields = Fields(line), fields.isDismissal else { return nil }
            self = .dismiss
        }
    }

    /// JSON, or plain text as a person would type it. `nil`: nothing that could be one.
    ///
    /// `{"text":"24"}`, `{"secret":"2468"}`, `{"dismiss":true}`, `{"pressed":true}`, `{"released":true}`,
    /// `{"swipe":{"direction":"left","fingers":3}}`. A secret as plain text leaves fewer copies behind.
    init?(_ line: Secret, to challenge: Challenge) {
        if let fields = Fields(line) {
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
        var name: String?
        var password: String?
        var dismiss: Bool?
        /// The same.
        var dismissed: Bool?
        var pressed: Bool?
        var released: Bool?
        var swipe: Swipe?

        var isDismissal: Bool { dismiss == true || dismissed == true }

        /// `nil`: that is no object.
        init?(_ line: Secret) {
            let fields = line.withBytes { bytes -> Fields? in
                guard bytes.first(where: { $0 != UInt8(ascii: " ") }) == UInt8(ascii: "{") else { return nil }
                return try? JSONDecoder().decode(Fields.self, from: Data(bytes))
            }
            guard let fields else { return nil }
            self = fields
        }
    }

    private init?(_ fields: Fields, to challenge: Challenge) {
        var answers: [ProgramAnswer] = []
        if let text = fields.text, let input = AnswerText.input(Secret(text.utf8), to: challenge, isPressed: false) {
            answers.append(.input(input))
        }
        if let secret = fields.secret { answers.append(.input(.answer(.secret(Secret(secret.utf8))))) }
        if fields.isDismissal { answers.append(.dismiss) }
        if fields.pressed == true { answers.append(.input(.pressed)) }
        if fields.released == true { answers.append(.input(.answer(.released))) }
        if let swipe = fields.swipe, let direction = SwipeGesture.Direction(rawValue: swipe.direction) {
            answers.append(.input(.answer(.swiped(SwipeGesture(direction, fingers: swipe.fingers)))))
        }
        guard answers.count == 1, let answer = answers.first else { return nil }
        self = answer
    }
}
