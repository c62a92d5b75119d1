/// A promise that was not kept.
struct Broken: Error, CustomStringConvertible {
    let description: String
}

/// Throws where a promise is not kept.
func hold(
    _ isKept: Bool, _ text: @autoclosure () -> String = "", file: String = #fileID, line: Int = #line
) throws {
    if !isKept { throw Broken(description: "\(text()) (\(file):\(line))") }
}

/// Throws where something that was promised is not there.
func hold<Value>(
    _ value: Value?, _ text: @autoclosure () -> String = "", file: String = #fileID, line: Int = #line
) throws -> Value {
    guard let value else { throw Broken(description: "\(text()) (\(file):\(line))") }
    return value
}
