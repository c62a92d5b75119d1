import GateModel

/// The acts of a person for a question that they have not answered yet.
struct ScreenProgress: Hashable, Sendable {
    /// The first of the two acts that a yes takes is done.
    var isSure = false
    /// When a hold began.
    var pressedAt: BootTime?
    /// A gesture that is made of strokes, one for each finger.
    var strokes: SwipeGesture?

    /// One more stroke; into another direction it is the first of another gesture.
    mutating func stroked(_ direction: SwipeGesture.Direction) {
        let count = strokes?.direction == direction ? strokes?.fingers ?? 0 : 0
        strokes = SwipeGesture(direction, fingers: min(9, count + 1))
    }
}
