/// A place in a response, as FHIRPath: "QuestionnaireResponse.item[2].answer[0]".
struct ResponseLocation: CustomStringConvertible {
    private enum Step {
        case item(Int)
        case answer(Int)
    }

    private var steps: [Step] = []

    func item(_ index: Int) -> ResponseLocation { appending(.item(index)) }

    func answer(_ index: Int) -> ResponseLocation { appending(.answer(index)) }

    private func appending(_ step: Step) -> ResponseLocation {
        var longer = self
        longer.steps.append(step)
        return longer
    }

    var description: String {
        steps.reduce(into: "QuestionnaireResponse") { text, step in
            switch step {
            case .item(let index): text += ".item[\(index)]"
            case .answer(let index): text += ".answer[\(index)]"
            }
        }
    }
}
