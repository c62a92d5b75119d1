public import NIOCore

/// The stars of the map, as their file has them: for each the length of its name in one byte, the name, and its brightness in
/// hundredths of a magnitude.
public struct Catalogue: Equatable, Sendable {
    public struct Star: Equatable, Sendable {
        public var name: String
        public var magnitude: Double
    }

    public private(set) var stars: [Star] = []

    /// `nil`: the file ends within a star.
    public init?(_ file: ByteBuffer) {
        var rest = file
        while rest.readableBytes > 0 {
            guard let length = rest.readInteger(as: UInt8.self), let name = rest.readString(length: Int(length)),
                let hundredths = rest.readInteger(as: Int16.self)
            else { return nil }
            stars.append(Star(name: name, magnitude: Double(hundredths) / 100))
        }
    }
}
