import FoundationEssentials
import GateModel

/// The answer that a program that shows a presentation gives for the person, on one line of its output.
enum ProgramAnswer: Hashable {
    case input(PersonInput)
    case logIn(name: String, password: GateSecret)
    /// A QuestionnaireResponse as FHIR JSON. One that is not completed stays a draft.
    case form([UInt8], isCompleted: Bool)
    case dismiss

    /// The answer to this; `nil`: nothing that could be one. A paywall has none, and can only be dismissed; a sign-in
    /// `{"name":"anna","password":"…"}`, or `{"dismissed":true}`; a form a QuestionnaireResponse; what is new
    /// `{"acknowledged":true}`, `{"secondary":true}`, or what a button says.
    init?(_ line: GateSecret, to content: Presentation.Content) {
        switch content {
        case .challenge(let challenge):
            self.init(line, to: challenge)
        case .signIn:
            guard let fields = Fields(line) else { return nil }
            switch (fields.name, fields.password, fields.isDismissal) {
            case (let name?, let password?, false): self = .logIn(name: name, password: GateSecret(password.utf8))
            case (nil, nil, true): self = .dismiss
            case _: return nil
            }
        case .paywall, .unrecognized:
            guard let fields = Fields(line), fields.isDismissal else { return nil }
            self = .dismiss
        case .form:
            if let response = ResponseFields(line) {
                self = .form(line.withBytes { Array($0) }, isCompleted: response.status == "completed")
            } else if let fields = Fields(line), fields.isDismissal {
                self = .dismiss
            } else {
                return nil
            }
        case .whatsNew(let notice):
            self.init(line, to: WhatsNewText(notice))
        }
    }

    private init?(_ line: GateSecret, to notice: WhatsNewText) {
        guard let fields = Fields(line) else {
            guard line.byteCount > 0, let answer = notice.answer(line.withBytes { String(decoding: $0, as: UTF8.self) })
            else { return nil }
            self = .input(.answer(answer))
            return
        }
        switch (fields.text, fields.isDismissal, fields.acknowledged ?? false, fields.secondary ?? false) {
        case (let text?, false, false, false):
            guard let answer = notice.answer(text) else { return nil }
            self = .input(.answer(answer))
        case (nil, true, false, false): self = .dismiss
        case (nil, false, _, true):
            guard notice.buttons.count > 1 else { return nil }
            self = .input(.answer(.acknowledged(.secondary)))
        case (nil, false, true, false): self = .input(.answer(.acknowledged(.primary)))
        case _: return nil
        }
    }

    /// How a QuestionnaireResponse is known.
    private struct ResponseFields: Decodable {
        var resourceType: String
        var status: String?

        /// `nil`: that is none.
        init?(_ text: GateSecret) {
            let fields = text.withBytes { try? JSONDecoder().decode(ResponseFields.self, from: Data($0)) }
            guard let fields, fields.resourceType == "QuestionnaireResponse" else { return nil }
            self = fields
        }
    }

    /// JSON, or plain text as a person would type it. `nil`: nothing that could be one.
    ///
    /// `{"text":"24"}`, `{"secret":"2468"}`, `{"dismiss":true}`, `{"pressed":true}`, `{"released":true}`,
    /// `{"swipe":{"direction":"left","fingers":3}}`. A secret as plain text leaves fewer copies behind.
    init?(_ line: GateSecret, to challenge: Challenge) {
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
        var acknowledged: Bool?
        var secondary: Bool?
        var swipe: Swipe?

        var isDismissal: Bool { dismiss == true || dismissed == true }

        /// `nil`: that is no object.
        init?(_ line: GateSecret) {
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
        if let text = fields.text, let input = AnswerText.input(GateSecret(text.utf8), to: challenge, isPressed: false)
        {
            answers.append(.input(input))
        }
        if let secret = fields.secret { answers.append(.input(.answer(.secret(GateSecret(secret.utf8))))) }
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
