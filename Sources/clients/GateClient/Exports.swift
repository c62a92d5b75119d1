// An app that imports GateClient also gets the values of its calls: modes, errors, presentations, forms.
@_exported public import GateModel
