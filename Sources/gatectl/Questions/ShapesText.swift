import GateModel
import GateTexts

/// Shapes as text: drawn where the locale has the signs, and always by their names.
struct ShapesText {
    let problem: ShapesProblem
    let locale: TextLocale

    /// `triangle, square + pentagon`
    func names(colours: Colours = .none) -> String {
        sentence(colours: colours, between: ", ") { $0.form.word }
    }

    /// `▲ ■ + ⬟`
    func drawn(colours: Colours) -> String {
        sentence(colours: colours, between: " ") { colours.paint(String($0.form.glyph), for: $0.colour) }
    }

    private func sentence(colours: Colours, between separator: String, _ shape: (ShapesProblem.Shape) -> String)
        -> String
    {
        let sign = colours.emphasise(String(locale.sign(problem.operator.rawValue)))
        let sides = [problem.left, problem.right].map { $0.map(shape).joined(separator: separator) }
        return sides.filter { !$0.isEmpty }.joined(separator: " \(sign) ")
    }
}

extension ShapesProblem.Shape.Form {
    fileprivate var word: String {
        switch self {
        case .circle: localized("circle")
        case .triangle: localized("triangle")
        case .square: localized("square")
        case .pentagon: localized("pentagon")
        case .hexagon: localized("hexagon")
        }
    }

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
