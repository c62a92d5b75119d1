import ArgumentParser

enum NamesText {
    /// Reads `passcode,totp`. A list needs at least one name.
    static func parse<Value: CaseIterable & Hashable>(
        _ text: String, _ noun: String, named name: (Value) -> String
    ) throws(ValidationError) -> Set<Value> {
        var values: Set<Value> = []
        for word in text.split(separator: ",", omittingEmptySubsequences: false) {
            guard let value = Value.allCases.first(where: { name($0) == word }) else {
                let names = Value.allCases.map(name).joined(separator: ", ")
                throw ValidationError("There is no \(noun) '\(word)'. The names are: \(names).")
            }
            values.insert(value)
        }
        return values
    }
}
