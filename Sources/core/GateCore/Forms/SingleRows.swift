/// The rows of items without a repeating item around them, by position. They are stored in pieces, so that a change of
/// a shared draft copies only one piece.
struct SingleRows: Hashable, Sendable {
    private static let pieceCount = 64

    private var pieces: [[FormRow?]]

    init(itemCount: Int) {
        let piece = [FormRow?](repeating: nil, count: Self.pieceCount)
        pieces = Array(repeating: piece, count: (itemCount + Self.pieceCount - 1) / Self.pieceCount)
    }

    subscript(item: Int) -> FormRow? {
        get { pieces[item / Self.pieceCount][item % Self.pieceCount] }
        set { pieces[item / Self.pieceCount][item % Self.pieceCount] = newValue }
    }

    var all: [(place: ItemOccurrence, row: FormRow)] {
        pieces.indices.flatMap { piece in
            pieces[piece].enumerated().compactMap { index, row in
                row.map { (ItemOccurrence(piece * Self.pieceCount + index, []), $0) }
            }
        }
    }
}
