import GateModel
import GateTexts

/// A problem with shapes as text: by their names, and drawn if the locale has the characters.
struct ShapesText {
    let problem: ShapesProblem
    let locale: TextLocale

    /// `triangle, square + pentagon`
    func names(colours: Colours = .none) -> String {
        sentence(colours: colours, between: ", ") { QuestionWords.shape($0.form) }
    }

    /// `▲ ■ + ⬟`
    func drawn(colours: Colours) -> String {
        sentence(colours: colours, between: " ") { colours.paint(String($0.form.glyph), for: $0.colour) }
    }

    private func sentence(colours: Colours, between separator: String, _ shape: (ShapesProblem.Shape) -> String)
        -> String
    {
        let sign = colours.emphasise(String(locale.sign(problem.operator.rawValue)))
        return QuestionWords.sides(of: problem, sign: sign, separator: separator, shape)
    }
}

extension ShapesProblem.Shape.Form {
    fileprivate var glyph: Character {
        switch self {
        case .circle: "●"
        case .triangle: "▲"
        case .square: "■"
        case .pentagon: "⬟"
        case .hexagon: "⬢"
        }
    }
}
