package import GateModel
package import GateTexts

extension ScreenModel {
    /// The middle of a screen: the question, and the ways to answer it.
    package enum Body: Hashable, Sendable {
        /// A sum in three pieces, so that the operator can be larger, and a button for each choice.
        case sum(Sum, choices: [String])
        /// A sum whose result is typed.
        case typedSum(Sum)
        /// Shapes to draw, and a button for each choice.
        case shapes(Shapes, choices: [String])
        /// A question, and a button for each choice, one below the other.
        case quiz(question: String, choices: [String])
        /// A permission. A yes takes two acts: `isSure` is true after the first.
        case confirm(question: String, isSure: Bool)
        /// Three wheels to choose a date with.
        case birthdate(Birthdate)
        /// A secret to type. `onlyDigits`: a keypad is enough for it.
        case secret(question: String, onlyDigits: Bool)
        /// A button to hold, and the time at which that began; `nil` if it is not held.
        case hold(question: String, duration: Duration, pressedAt: BootTime?)
        /// A gesture, how to make it without a touch screen, and the strokes so far.
        case swipe(question: String, hint: String, strokes: String)
        /// A name and a password.
        case signIn(question: String, isChecking: Bool, hint: String)
        /// Something to buy.
        case paywall(Paywall)
        /// The notes about what is new in an app.
        case notes(Notes)
        /// Says on which other screen the question can be answered.
        case elsewhere(String)
        /// A form to fill in, section by section.
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

    /// The shapes on both sides of the sum, by their corners.
    package struct Shapes: Hashable, Sendable {
        package let question: String
        package let left: [ShapesProblem.Shape]
        package let sign: String
        package let right: [ShapesProblem.Shape]
        /// Both sides with the names of the shapes, for a screen reader.
        package let spoken: String

        init(_ problem: ShapesProblem) {
            question = QuestionWords.shapes
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

            /// The offer in a language of the person.
            init(_ offer: GateModel.Offer, for languages: [String], opensPages: Bool) {
                title = OfferWords.title(offer, for: languages).foreignLine
                price = OfferWords.price(offer).foreignLine
                page = offer.url?.foreignLine ?? ""
                opening = opensPages && offer.url != nil ? localized("Open the page") : ""
                advice = offer.url == nil ? Self.inTheApp : ""
                code = offer.url.flatMap { QRCode(Array($0.utf8)) }
            }

            /// A product of which only the name is known.
            init(product: String) {
                title = product.foreignLine
                price = ""
                page = ""
                opening = ""
                advice = Self.inTheApp
                code = nil
            }

            private static var inTheApp: String { localized("To be bought in the app itself.") }
        }

        /// What is for sale.
        package let title: String
        /// What the buyer gets, a line each.
        package let features: [String]
        /// Through whom it is sold. Empty if that store is not set up.
        package let provider: String
        /// What can be bought, as its provider offers it, or by its name if the provider has told nothing.
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
    /// The question as one text, for a screen reader.
    package var spokenQuestion: String {
        switch self {
        case .sum(let sum, _), .typedSum(let sum): sum.spoken
        case .shapes(let shapes, _): "\(shapes.question) \(shapes.spoken) = ?"
        case .quiz(let question, _), .confirm(let question, _), .secret(let question, _), .hold(let question, _, _),
            .signIn(let question, _, _):
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
