package import GateModel
package import GateTexts

extension ScreenModel {
    /// The part in the middle: the question with the ways to answer it.
    package enum Body: Hashable, Sendable {
        /// A sum in three pieces, so that the operator can be drawn larger, and a button for each choice (F-06).
        case sum(Sum, choices: [String])
        /// A sum whose result is typed (F-19).
        case typedSum(Sum)
        /// Shapes to draw, and a button for each choice (F-14).
        case shapes(Shapes, choices: [String])
        /// A question, and a button for each choice, one below the other (F-14).
        case quiz(question: String, choices: [String])
        /// A permission. A yes takes two acts: `isSure` after the first.
        case confirm(question: String, isSure: Bool)
        /// Three numbers to choose (F-25).
        case birthdate(Birthdate)
        /// A secret to type. `onlyDigits`: a keypad has all that it needs.
        case secret(question: String, onlyDigits: Bool)
        /// A button to keep pressed, and since when it is (F-25).
        case hold(question: String, duration: Duration, pressedAt: BootTime?)
        /// A gesture, the way to do it without a touch screen, and the strokes of that so far (F-25).
        case swipe(question: String, hint: String, strokes: String)
        /// A name and a password (F-49).
        case signIn(question: String, isChecking: Bool, hint: String)
        /// Something to be paid for (F-51).
        case paywall(Paywall)
        /// The notes on what is new in an app (F-56).
        case notes(Notes)
        /// Where it is answered: it is not for this screen (S-15).
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

    /// The corners of the shapes on both sides.
    package struct Shapes: Hashable, Sendable {
        package let question: String
        package let left: [ShapesProblem.Shape]
        package let sign: String
        package let right: [ShapesProblem.Shape]
        /// The shapes by their names.
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
        /// A wheel.
        package enum Wheel: Hashable, Sendable {
            case year
            case month
            case day
        }

        package let question: String
        package let wheels: [Wheel]
        /// The years that can be chosen, as the calendar counts them. The last one is shown first.
        package let years: ClosedRange<Int>
    }

    /// The subject of a paywall.
    package struct Paywall: Hashable, Sendable {
        /// Something that can be bought.
        package struct Offer: Hashable, Sendable {
            package let title: String
            /// `3,99 € for 1 month`. May be empty.
            package let price: String
            /// The page to pay on, for people who type it elsewhere. May be empty.
            package let page: String
            /// The label of the button that opens it here; empty: it can't be.
            package let opening: String
            /// A sentence that says how to buy it where there is no page. May be empty.
            package let advice: String
            /// The same page for a phone's camera; `nil`: there is none, or it is too long.
            package let code: QRCode?

            /// An offer, in a language of the person.
            init(_ offer: GateModel.Offer, for languages: [String], opensPages: Bool) {
                title = OfferWords.title(offer, for: languages).foreignLine
                price = OfferWords.price(offer).foreignLine
                page = offer.url?.foreignLine ?? ""
                opening = opensPages && offer.url != nil ? localized("Open the page") : ""
                advice = offer.url == nil ? Self.inTheApp : ""
                code = offer.url.flatMap { QRCode(Array($0.utf8)) }
            }

            /// A product of which its name is all that is known.
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

        /// The subject that is to be paid for.
        package let title: String
        /// The things that one gets for it, a line each.
        package let features: [String]
        /// Through whom. Empty: that store is not set up.
        package let provider: String
        /// Each thing that can be bought: as its provider offers it, or by its name alone.
        package let offers: [Offer]
        /// How it ends.
        package let hint: String
        /// The label of the button for somebody who has paid already. Empty: nobody can have paid.
        package let restoring: String
    }

    /// The notes on what is new in an app.
    package struct Notes: Hashable, Sendable {
        /// Something that is new.
        package struct Feature: Hashable, Sendable {
            /// The name of an icon; may be empty, or none that the desktop has.
            package let icon: String
            /// `#3584e4`: the one of the notes, or else the next one of a palette.
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
        /// The colour of the secondary button; `nil`: it has none of its own.
        package let secondaryColour: String?
        /// Where the secondary button leads; may be empty.
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

    /// The line below it; empty: there is none.
    var note: String {
        switch self {
        case .form(let form): form.note
        case .sum, .typedSum, .shapes, .quiz, .confirm, .birthdate, .secret, .hold, .swipe, .signIn, .paywall, .notes,
            .elsewhere:
            ""
        }
    }
}
