package import GateModel
package import GateTexts

// The middle of a screen (ScreenModel.Body): what it shows for each content of a presentation, and which answer a
// person's input gives.

extension ScreenModel {
    package enum Body: Hashable, Sendable {
        /// A sum in three pieces, so that the operator can be larger, and a button for each choice.
        case sum(Sum, choices: [String])
        case typedSum(Sum)
        /// Shapes to draw, and a button for each choice.
        case shapes(Shapes, choices: [String])
        case quiz(question: String, choices: [String])
        /// A permission. A yes takes two acts: `isSure` is true after the first.
        case confirm(question: String, isSure: Bool)
        case birthdate(Birthdate)
        /// `onlyDigits`: a keypad is enough for it.
        case secret(question: String, onlyDigits: Bool)
        /// A button to hold, and the time at which that began; `nil` if it is not held.
        case hold(question: String, duration: Duration, pressedAt: BootTime?)
        /// A gesture, how to make it without a touch screen, and the strokes so far.
        case swipe(question: String, hint: String, strokes: String)
        /// `adding` is the label of the button that opens the page of people; empty if there is none, and the hint says
        /// who can add a person.
        case signIn(question: String, isChecking: Bool, hint: String, adding: String)
        case paywall(Paywall)
        case notes(Notes)
        /// Says on which other screen the question can be answered.
        case elsewhere(String)
        case form(FormPicture)
    }

    /// `left sign right = ?`
    package struct Sum: Hashable, Sendable {
        package let left: String
        package let sign: String
        package let right: String

        init(_ problem: ArithmeticProblem) {
            left = String(problem.left)
            sign = String(problem.operator.rawValue)
            right = String(problem.right)
        }

        package var spoken: String { "\(left) \(sign) \(right) = ?" }
    }

    /// The shapes on both sides of a sum, whose corners are counted.
    package struct Shapes: Hashable, Sendable {
        package let question: String
        package let left: [ShapesProblem.Shape]
        package let sign: String
        package let right: [ShapesProblem.Shape]
        /// Both sides with the names of the shapes, for a screen reader.
        package let spoken: String

        init(_ problem: ShapesProblem) {
            question = QuestionWords.shapes(problem)
            left = problem.left
            sign = String(problem.operator.rawValue)
            right = problem.right
            spoken = QuestionWords.sides(of: problem, sign: sign, separator: ", ")
        }
    }

    /// Three wheels, in the order in which the person writes a date.
    package struct Birthdate: Hashable, Sendable {
        package enum Wheel: Hashable, Sendable {
            case year
            case month
            case day
        }

        package let question: String
        package let wheels: [Wheel]
        /// The years that can be chosen, in the question's calendar. The wheel begins with the last one.
        package let years: ClosedRange<Int>
    }

    package struct Paywall: Hashable, Sendable {
        package struct Offer: Hashable, Sendable {
            package let title: String
            /// `3,99 € for 1 month`. May be empty.
            package let price: String
            /// The address of the page to pay on, for somebody who types it on another device. May be empty.
            package let page: String
            /// The label of the button that opens the page here. Empty if it can't be opened here.
            package let opening: String
            /// A sentence that says how to buy it if there is no page. May be empty.
            package let advice: String
            /// The address as a QR code; `nil` if there is no page, or its address is too long.
            package let code: QRCode?

            init(_ offer: GateModel.Offer, for languages: [String], opensPages: Bool) {
                title = OfferWords.title(offer, for: languages).foreignLine
                price = OfferWords.price(offer).foreignLine
                page = offer.url?.foreignLine ?? ""
                opening = opensPages && offer.url != nil ? localized("Open the page") : ""
                advice = offer.url == nil ? Self.inTheApp : ""
                code = offer.url.flatMap { QRCode(Array($0.utf8)) }
            }

            init(product: String) {
                title = product.foreignLine
                price = ""
                page = ""
                opening = ""
                advice = Self.inTheApp
                code = nil
            }

            private static var inTheApp: String { localized("Buy it in the app itself.") }
        }

        package let title: String
        /// What the buyer gets, a line each.
        package let features: [String]
        /// Through whom it is sold. Empty if nothing can be bought.
        package let provider: String
        /// The products that can be bought, as the provider offers them, or by their names if the provider has reported
        /// no offers.
        package let offers: [Offer]
        /// How the screen closes.
        package let hint: String
        /// The label of the button for somebody who has paid already. Empty if nothing can be bought.
        package let restoring: String
    }

    package struct Notes: Hashable, Sendable {
        package struct Feature: Hashable, Sendable {
            /// The name of an icon. May be empty, or a name that the desktop does not know.
            package let icon: String
            /// A colour such as `#3584e4`: the one in the notes, or else the next of a palette.
            package let colour: String
            package let title: String
            package let subtitle: String
        }

        package let title: String
        /// The app and its version.
        package let app: String
        package let features: [Feature]
        /// The labels of the buttons, the primary one first.
        package let buttons: [String]
        /// The colour of the secondary button; `nil`: the theme's.
        package let secondaryColour: String?
        /// The address that the secondary button opens. May be empty.
        package let link: String
    }
}

extension ScreenModel.Body {
    package var spokenQuestion: String {
        switch self {
        case .sum(let sum, _), .typedSum(let sum): sum.spoken
        case .shapes(let shapes, _): "\(shapes.question) \(shapes.spoken) = ?"
        case .quiz(let question, _), .confirm(let question, _), .secret(let question, _), .hold(let question, _, _),
            .signIn(let question, _, _, _):
            question
        case .birthdate(let birthdate): birthdate.question
        case .swipe(let question, let hint, _): "\(question) \(hint)"
        case .paywall(let paywall): paywall.title
        case .notes(let notes): notes.title
        case .elsewhere(let place): place
        case .form(let form): form.title
        }
    }

    /// The line below the question. May be empty.
    var note: String {
        switch self {
        case .form(let form): form.note
        case .sum, .typedSum, .shapes, .quiz, .confirm, .birthdate, .secret, .hold, .swipe, .signIn, .paywall, .notes,
            .elsewhere:
            ""
        }
    }
}

extension Presentation.Content {
    /// `nil` for a presentation of a kind that this program does not know. `form` is `nil` if it was not fetched yet,
    /// and `start` if the person has no choice how to begin.
    func body(
        _ progress: ScreenProgress, _ reader: ScreenReader, form: FormPicture?, start: FormStart?, isChecking: Bool,
        opensPages: Bool, opensSettings: Bool
    ) -> ScreenModel.Body? {
        switch self {
        case .challenge(let challenge): challenge.body(progress, reader)
        case .signIn:
            .signIn(
                question: QuestionWords.signIn, isChecking: isChecking,
                hint: localized(
                    "No password yet? A grown-up can add you in Gate's settings, under “People”."
                ), adding: opensSettings ? ScreenWords.addPerson : "")
        case .paywall(let paywall):
            .paywall(
                ScreenModel.Paywall(
                    title: (paywall.title.isEmpty ? paywall.entitlement : paywall.titles.text(for: reader.languages))
                        .foreignLine,
                    features: paywall.features.map { $0.text(for: reader.languages).foreignLine },
                    provider: paywall.isForSale
                        ? localized("Sold through: {provider}", ["provider": QuestionWords.provider(paywall.provider)])
                        : "",
                    offers: paywall.offers.isEmpty
                        ? paywall.products.map { ScreenModel.Paywall.Offer(product: $0) }
                        : paywall.offers.map {
                            ScreenModel.Paywall.Offer($0, for: reader.languages, opensPages: opensPages)
                        },
                    hint: paywall.isForSale
                        ? ScreenWords.closesWhenPaid : QuestionWords.notForSale,
                    restoring: paywall.isForSale ? ScreenWords.restore : ""))
        case .whatsNew(let notice): .notes(ScreenModel.Notes(notice, for: reader.languages))
        case .form(let invitation):
            .form(form ?? beforehand(invitation.titles.text(for: reader.languages).foreignLine, start))
        case .unrecognized: nil
        }
    }

    private func beforehand(_ title: String, _ start: FormStart?) -> FormPicture {
        start?.picture(title) ?? .waiting(title, note: ScreenWords.oneMoment)
    }

    /// The answer that the input is; `nil` if it is none.
    func answer(_ input: ScreenInput, _ progress: ScreenProgress) -> ChallengeAnswer? {
        switch (self, input) {
        case (_, .answered(let answer)): answer
        case (.challenge(let challenge), _): challenge.answering.answer(input, progress)
        case (.whatsNew(let notice), .chosen(let index)):
            switch index {
            case 0: .acknowledged(.primary)
            case 1: notice.entry.secondary == nil ? nil : .acknowledged(.secondary)
            case _: nil
            }
        case _: nil
        }
    }

    /// The message about an input that is no answer; `nil` if it needs none.
    func emptyText(_ input: ScreenInput) -> String? {
        if input == .released { return nil }
        return kind == .whatsNew ? localized("There is no such button.") : localized("That was empty.")
    }

    /// Why the person can't dismiss it.
    package var lastingText: String {
        switch self {
        case .challenge, .unrecognized: localized("This closes only when it is answered.")
        case .signIn: localized("This closes only when somebody signs in.")
        case .paywall: localized("This closes only after the purchase.")
        case .form: localized("This closes only when the form is complete.")
        case .whatsNew: localized("Press a button to close this.")
        }
    }
}

extension Challenge.Answering {
    /// `nil` if the input is no answer to such a question.
    fileprivate func answer(_ input: ScreenInput, _ progress: ScreenProgress) -> ChallengeAnswer? {
        switch (self, input) {
        case (.result(let results), .chosen(let index)):
            results.indices.contains(index) ? .text(String(results[index])) : nil
        case (.choice(let texts), .chosen(let index)):
            // A quiz has the same number of choices in every language.
            texts.first?.choices.indices.contains(index) == true ? .text(String(index + 1)) : nil
        case (.permission, .chosen(let index)): .text(index == ScreenInput.yes ? "yes" : "no")
        case (.number, .typed(let text)): text.isEmpty ? nil : .text(text)
        case (.secret, .typedSecret(let secret)): secret.byteCount == 0 ? nil : .secret(secret)
        case (.date, .dated(let year, let month, let day)):
            .text("\(year)-\(month.padded(to: 2))-\(day.padded(to: 2))")
        case (.hold, .released): progress.pressedAt == nil ? nil : .released
        case (.swipe, .swiped(let gesture)): .swiped(gesture)
        case (.swipe, .finished): progress.strokes.map { .swiped($0) }
        case _: nil
        }
    }
}

extension Challenge {
    fileprivate func body(_ progress: ScreenProgress, _ reader: ScreenReader) -> ScreenModel.Body {
        switch self {
        case .arithmeticChoice(let problem, let choices):
            .sum(ScreenModel.Sum(problem), choices: choices.map { String($0) })
        case .arithmeticEntry(let problem): .typedSum(ScreenModel.Sum(problem))
        case .shapes(let problem, let choices):
            .shapes(ScreenModel.Shapes(problem), choices: choices.map { String($0) })
        case .quiz(let texts):
            .quiz(
                question: reader.text(of: texts)?.question.foreignLine ?? QuestionWords.withoutText,
                choices: (reader.text(of: texts)?.choices ?? []).map(\.foreignLine))
        case .confirm: .confirm(question: QuestionWords.confirm, isSure: progress.isSure)
        case .birthdate(let calendar):
            .birthdate(
                ScreenModel.Birthdate(
                    question: QuestionWords.birthdate(calendar), wheels: reader.wheels,
                    years: calendar.years(until: reader.year)))
        case .passcode: .secret(question: QuestionWords.passcode, onlyDigits: false)
        case .totp: .secret(question: QuestionWords.totp, onlyDigits: true)
        case .hold(let duration):
            .hold(question: QuestionWords.hold(duration), duration: duration, pressedAt: progress.pressedAt)
        case .swipe(let gesture):
            .swipe(
                question: QuestionWords.swipe(gesture),
                hint: localized(
                    "Without a touch screen: drag with the mouse, or press an arrow key, once for each finger."),
                strokes: progress.strokes.map { String(repeating: $0.direction.arrow, count: $0.fingers) } ?? "")
        }
    }
}

extension BirthdateCalendar {
    /// The years of this calendar in which somebody alive can have been born. `year` is the current Gregorian one.
    fileprivate func years(until year: Int) -> ClosedRange<Int> {
        let offset =
            switch self {
            case .gregorian: 0
            case .buddhist: 543
            case .minguo: -1911
            }
        return year + offset - 130...year + offset
    }
}

extension SwipeGesture.Direction {
    fileprivate var arrow: Character {
        switch self {
        case .up: "↑"
        case .down: "↓"
        case .left: "←"
        case .right: "→"
        }
    }
}

extension ScreenModel.Notes {
    fileprivate init(_ notice: WhatsNewNotice, for languages: [String]) {
        let entry = notice.entry
        title = entry.titles.text(for: languages).foreignLine
        app = "\(notice.app.foreignLine) \(entry.version)"
        features = entry.features.enumerated().map { index, feature in
            Feature(
                icon: feature.image.foreignLine,
                colour: Self.colour(feature.colour) ?? Self.palette[index % Self.palette.count],
                title: feature.titles.text(for: languages).foreignLine,
                subtitle: feature.subtitles.text(for: languages).foreignLine)
        }
        buttons = [NotesWords.title(of: entry.primary, for: languages), entry.secondary?.titles.text(for: languages)]
            .compactMap(\.self).map(\.foreignLine)
        secondaryColour = entry.secondary.flatMap { Self.colour($0.colour) }
        link = entry.secondary?.url?.foreignLine ?? ""
    }

    /// Colours that are distinct on light and on dark: GNOME's blue, green, orange, purple, red and brown.
    private static let palette = ["#3584e4", "#2ec27e", "#e66100", "#9141ac", "#e01b24", "#986a44"]

    /// `nil` unless it is `#` and six hexadecimal digits, because it becomes part of a style sheet.
    private static func colour(_ text: String) -> String? {
        let bytes = Array(text.utf8)
        let isHex = bytes.dropFirst().allSatisfy { Character(UnicodeScalar($0)).isHexDigit }
        return bytes.count == 7 && bytes[0] == UInt8(ascii: "#") && isHex ? text : nil
    }
}
