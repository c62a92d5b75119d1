import Foundation
import GateModel

// What `gatectl --json` says of presentations.

extension GatectlReply {
    /// Of a Presentation.
    var summary: PresentationSummary? {
        guard let summary = self["summary"], let id = summary.number("id"), let asked = summary["asked"],
            let purpose = Self.purposes[summary.text("purpose") ?? ""], let kind = content?.kind
        else { return nil }
        return PresentationSummary(
            id: UInt64(id), purpose: purpose, kind: kind, deadline: summary.deadline ?? BootTime(nanoseconds: 0),
            style: .sheet, isDismissible: summary.isTrue("dismissible"), stage: .claimed,
            asked: PresentationContext(
                uid: UInt32(asked.number("uid") ?? 0), pid: 0, program: "",
                gatedAction: asked.text("gatedAction") ?? "", title: LocalizedText(asked.text("title") ?? ""),
                details: asked.text("details") ?? "",
                broker: asked["broker"].map { Broker(uid: UInt32($0.number("uid") ?? 0), program: "") }))
    }

    private static let purposes: [String: Presentation.Purpose] = [
        "PURPOSE_ENTER_PARENT_MODE": .enterParentMode, "PURPOSE_EXTEND_PARENT_MODE": .extendParentMode,
        "PURPOSE_AUTHORIZE": .authorize, "PURPOSE_SIGN_IN": .signIn, "PURPOSE_PAY": .pay,
        "PURPOSE_FILL_FORM": .fillForm, "PURPOSE_WHATS_NEW": .whatsNew,
    ]

    /// What a Presentation shows.
    var content: Presentation.Content? {
        if self["signIn"] != nil { return .signIn }
        if let paywall = self["paywall"], let provider = paywall.provider {
            return .paywall(
                Paywall(
                    entitlement: paywall.text("entitlement") ?? "", title: LocalizedText(paywall.text("title") ?? ""),
                    provider: provider, products: paywall.fields["products"] as? [String] ?? [],
                    offers: paywall.objects("offers").map(\.offer)))
        }
        if let form = self["form"], let holder = form["holder"]?.formHolder {
            return .form(
                FormInvitation(
                    name: form.text("name") ?? "", title: LocalizedText(form.text("title") ?? ""), holder: holder,
                    isForGrownUps: form.isTrue("isForGrownUps")))
        }
        if let notice = self["whatsNew"]?.whatsNew { return .whatsNew(notice) }
        return challenge.map { .challenge($0) }
    }

    /// An Offer, as a script has it.
    private var offer: Offer {
        let url = text("url") ?? ""
        return Offer(
            product: text("product") ?? "", period: text("period").flatMap(Offer.Period.init(iso8601:)),
            price: text("price") ?? "", url: url.isEmpty ? nil : url)
    }

    /// The challenge of a Presentation.
    var challenge: Challenge? {
        if let choice = self["arithmeticChoice"], let problem = choice.problem {
            return .arithmeticChoice(problem, choices: choice.choices)
        }
        if let problem = self["arithmeticEntry"]?.problem { return .arithmeticEntry(problem) }
        if let shapes = self["shapes"], let sign = shapes.sign {
            return .shapes(
                ShapesProblem(left: shapes.shapes("left"), operator: sign, right: shapes.shapes("right")),
                choices: shapes.choices)
        }
        if let quiz = self["quiz"] {
            return .quiz(
                quiz.objects("texts").map { text in
                    QuizText(
                        language: text.text("language") ?? "", question: text.text("question") ?? "",
                        choices: text.fields["choices"] as? [String] ?? [])
                })
        }
        if self["confirm"] != nil { return .confirm }
        if let birthdate = self["birthdate"] {
            return word(birthdate.text("calendar")).flatMap(BirthdateCalendar.init).map(Challenge.birthdate)
        }
        if self["passcode"] != nil { return .passcode }
        if self["totp"] != nil { return .totp }
        if let hold = self["hold"] { return .hold(.milliseconds(hold.number("durationMilliseconds") ?? 0)) }
        if let swipe = self["swipe"] {
            return word(swipe.text("direction")).flatMap(SwipeGesture.Direction.init)
                .map { .swipe(SwipeGesture($0, fingers: Int(swipe.number("fingers") ?? 0))) }
        }
        return nil
    }

    private var choices: [Int] { fields["choices"] as? [Int] ?? [] }

    private var sign: ArithmeticProblem.Operator? {
        let operators: [String: ArithmeticProblem.Operator] = [
            "OPERATOR_PLUS": .plus, "OPERATOR_MINUS": .minus, "OPERATOR_TIMES": .times,
            "OPERATOR_DIVIDED_BY": .dividedBy,
        ]
        return text("operation").flatMap { operators[$0] }
    }

    private var problem: ArithmeticProblem? {
        guard let left = number("left"), let right = number("right"), let sign else { return nil }
        return ArithmeticProblem(left: Int(left), operator: sign, right: Int(right))
    }

    private func shapes(_ side: String) -> [ShapesProblem.Shape] {
        objects(side).compactMap { shape in
            guard let form = word(shape.text("form")).flatMap(ShapesProblem.Shape.Form.init),
                let colour = word(shape.text("colour")).flatMap(ShapesProblem.Shape.Colour.init)
            else { return nil }
            return ShapesProblem.Shape(form, colour)
        }
    }

    /// The last word of a constant, in small letters: FORM_CIRCLE is "circle".
    private func word(_ constant: String?) -> String? {
        constant?.split(separator: "_").last.map { $0.lowercased() }
    }
}

extension ChallengeAnswer {
    /// As the fields of a CompleteRequest.
    var wireFields: [String: Any] {
        switch self {
        case .text(let text): ["text": text]
        case .secret(let secret): ["secret": secret.withBytes { Data($0).base64EncodedString() }]
        case .released: ["released": [String: Any]()]
        case .swiped(let gesture):
            [
                "swipe": [
                    "direction": "DIRECTION_\(gesture.direction.rawValue.uppercased())", "fingers": gesture.fingers,
                ]
            ]
        case .acknowledged(let button):
            ["acknowledged": ["action": button == .secondary ? "ACTION_SECONDARY" : "ACTION_PRIMARY"]]
        }
    }
}
