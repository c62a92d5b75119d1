import GateModel
import GateProtocol

// MARK: Parts

extension SplitMix {
    mutating func presentation() -> Presentation {
        Presentation(presentationSummary(), cookie: PresentationCookie(bytes: bytes()), content: content())
    }

    private mutating func content() -> Presentation.Content {
        switch Int.random(in: 0..<8, using: &self) {
        case 0: .signIn
        case 1: .paywall(paywall())
        case 2: .form(formInvitation())
        case 3: .whatsNew(whatsNewNotice())
        default: .challenge(challenge())
        }
    }

    mutating func presentationSummary() -> PresentationSummary {
        PresentationSummary(
            id: integer(), purpose: any(of: Presentation.Purpose.self), kind: any(of: Presentation.Kind.self),
            deadline: BootTime(nanoseconds: integer()), style: any(of: Presentation.Style.self), isDismissible: bool(),
            stage: any(of: Presentation.Stage.self),
            asked: asked())
    }

    mutating func asked() -> PresentationContext {
        PresentationContext(
            uid: integer(), pid: integer(), program: text(), gatedAction: text(), title: localizedText(),
            details: text(), translatedDetails: array { $0.translation() },
            duration: optional { $0.duration() }, isAppsOwn: bool(), broker: optional { $0.broker() }, device: text())
    }

    mutating func subject() -> Subject { Subject(uid: integer(), pid: integer(), startTime: integer()) }

    mutating func broker() -> Broker { Broker(uid: integer(), program: text()) }

    mutating func challenge() -> Challenge {
        switch any(of: Challenge.Kind.self) {
        case .arithmeticChoice: .arithmeticChoice(arithmeticProblem(), choices: array { $0.number() })
        case .arithmeticEntry: .arithmeticEntry(arithmeticProblem())
        case .shapes:
            .shapes(
                ShapesProblem(
                    left: array { $0.shape() }, operator: any(of: ArithmeticProblem.Operator.self),
                    right: array { $0.shape() }),
                choices: array { $0.number() })
        case .quiz:
            .quiz(
                array {
                    QuizText(language: $0.text(), question: $0.text(), choices: $0.array { $0.text() })
                })
        case .confirm: .confirm
        case .birthdate: .birthdate(any(of: BirthdateCalendar.self))
        case .passcode: .passcode
        case .totp: .totp
        case .hold: .hold(bool() ? .zero : duration())
        case .swipe: .swipe(swipe())
        }
    }

    private mutating func arithmeticProblem() -> ArithmeticProblem {
        ArithmeticProblem(left: number(), operator: any(of: ArithmeticProblem.Operator.self), right: number())
    }

    private mutating func shape() -> ShapesProblem.Shape {
        ShapesProblem.Shape(any(of: ShapesProblem.Shape.Form.self), any(of: ShapesProblem.Shape.Colour.self))
    }

    mutating func swipe() -> SwipeGesture {
        SwipeGesture(any(of: SwipeGesture.Direction.self), fingers: number())
    }

    mutating func secret() -> GateSecret { GateSecret(bytes()) }

    mutating func answer() -> ChallengeAnswer {
        switch Int.random(in: 0..<5, using: &self) {
        case 0: .text(text())
        case 1: .secret(secret())
        case 2: .released
        case 3: .acknowledged(any(of: ChallengeAnswer.NotesButton.self))
        default: .swiped(swipe())
        }
    }
}

// MARK: Presentations

extension RegisterPresenterRequest: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self {
        var abilities = PresenterAbilities(
            kinds: random.set(of: Presentation.Kind.self), styles: random.set(of: Presentation.Style.self))
        abilities.hasScreenOfItsOwn = Bool.random(using: &random)
        return Self(abilities: abilities)
    }
}
extension RegisterPresenterResponse: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self {
        Self(
            presentation: random.optional { $0.presentationSummary() },
            elsewhere: random.optional {
                PresentationElsewhere($0.presentationSummary(), on: $0.any(of: PresentationElsewhere.Place.self))
            })
    }
}
extension ClaimRequest: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self {
        Self(id: random.integer())
    }
}
extension ClaimResponse: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self {
        Self(presentation: random.presentation())
    }
}
extension ReportRequest: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self {
        Self(cookie: PresentationCookie(bytes: random.bytes()), input: random.any(of: PresentationInput.self))
    }
}
extension CompleteRequest: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self {
        Self(cookie: PresentationCookie(bytes: random.bytes()), answer: random.answer())
    }
}
extension CompleteResponse: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self {
        Self(
            revision: random.revision(), state: random.modeState(),
            result: random.optional { $0.bool() ? .next($0.presentation()) : .grant($0.grant()) } ?? .done)
    }
}
extension DismissRequest: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self {
        Self(cookie: PresentationCookie(bytes: random.bytes()))
    }
}
extension AwaitClosingRequest: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self { Self(cookie: PresentationCookie(bytes: random.bytes())) }
}
extension AwaitClosingResponse: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self {
        Self(
            revision: random.revision(), state: random.modeState(),
            result: random.optional { $0.bool() ? .next($0.presentation()) : .grant($0.grant()) } ?? .done)
    }
}
extension WithdrawRequest: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self { Self(id: random.integer()) }
}
extension ListPresentationsResponse: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self {
        Self(presentations: random.array { $0.presentationSummary() })
    }
}
