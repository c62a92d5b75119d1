import FoundationEssentials
import GateModel

/// What a program that shows a presentation answers for the person: one line of its output, or all of it for a form.
enum ProgramAnswer: Hashable {
    case input(PersonInput)
    case logIn(name: String, password: GateSecret)
    /// A QuestionnaireResponse as FHIR JSON. If it is not completed, it stays a draft.
    case form([UInt8], isCompleted: Bool)
    case dismiss

    /// Reads the answer to a presentation; `nil` if the line can't be one. Each kind of presentation takes
    /// `{"dismissed":true}`, and a paywall nothing else. A sign-in also takes `{"name":"anna","password":"…"}`, a form
    /// also a QuestionnaireResponse, and release notes also `{"acknowledged":true}`, `{"secondary":true}`, or the label
    /// of a button. What a challenge takes stands at the initializer for challenges.
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

    private struct ResponseFields: Decodable {
        var resourceType: String
        var status: String?

        /// `nil` if the text is no QuestionnaireResponse.
        init?(_ text: GateSecret) {
            let fields = text.withBytes { try? JSONDecoder().decode(ResponseFields.self, from: Data($0)) }
            guard let fields, fields.resourceType == "QuestionnaireResponse" else { return nil }
            self = fields
        }
    }

    /// An answer as JSON, or as plain text as a person would type it; `nil` if the line can't be one: `{"text":"24"}`,
    /// `{"secret":"2468"}`, `{"dismiss":true}`, `{"pressed":true}`, `{"released":true}`,
    /// `{"swipe":{"direction":"left","fingers":3}}`. A secret as plain text leaves fewer copies in memory.
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
        /// Means the same as `dismiss`.
        var dismissed: Bool?
        var pressed: Bool?
        var released: Bool?
        var acknowledged: Bool?
        var secondary: Bool?
        var swipe: Swipe?

        var isDismissal: Bool { dismiss == true || dismissed == true }

        /// `nil` if the line is no JSON object.
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
