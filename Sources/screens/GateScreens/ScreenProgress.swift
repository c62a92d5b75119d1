import GateModel

/// What a person has done for a question that is not answered yet.
struct ScreenProgress: Hashable, Sendable {
    /// Whether the first of the two acts for a yes is done.
    var isSure = false
    /// When the person began to hold the button; `nil` if they don't.
    var pressedAt: BootTime?
    /// The gesture that the strokes make so far, with one finger for each stroke.
    var strokes: SwipeGesture?

    /// Adds a stroke. A stroke into another direction begins a new gesture.
    mutating func stroked(_ direction: SwipeGesture.Direction) {
        let count = strokes?.direction == direction ? strokes?.fingers ?? 0 : 0
        strokes = SwipeGesture(direction, fingers: min(9, count + 1))
    }
}
