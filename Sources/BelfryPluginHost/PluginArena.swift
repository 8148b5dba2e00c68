import CBelfryPlugin

/// The memory for one call to a plug-in: everything that the call's arguments point to. It is freed with the arena.
///
/// Used by one thread at a time. The plug-in copies what it keeps.
final class PluginArena {
    private var blocks: [UnsafeMutableRawPointer] = []

    deinit {
        for block in blocks { block.deallocate() }
    }

    /// A copy of `text` in UTF-8 with its length; `bytes` is NULL for the empty string.
    func string(_ text: String) -> belfry_string {
        var text = text
        return text.withUTF8 { utf8 in
            guard !utf8.isEmpty else { return belfry_string(bytes: nil, length: 0) }
            let bytes = bytes(UnsafeRawBufferPointer(utf8))
            return belfry_string(bytes: bytes.assumingMemoryBound(to: CChar.self), length: utf8.count)
        }
    }

    func bytes(_ source: UnsafeRawBufferPointer) -> UnsafeRawPointer {
        let block = UnsafeMutableRawPointer.allocate(byteCount: max(1, source.count), alignment: 1)
        blocks.append(block)
        if let base = source.baseAddress { block.copyMemory(from: base, byteCount: source.count) }
        return UnsafeRawPointer(block)
    }

    /// Copies a value into the arena. Structs of the plug-in ABI are trivial, so freeing the memory is enough.
    func place<Value: BitwiseCopyable>(_ value: Value) -> UnsafePointer<Value> {
        let pointer = UnsafeMutablePointer<Value>.allocate(capacity: 1)
        blocks.append(UnsafeMutableRawPointer(pointer))
        pointer.initialize(to: value)
        return UnsafePointer(pointer)
    }

    /// Copies a list in the ABI's form, an array of pointers.
    func list<Value: BitwiseCopyable>(_ values: [Value]) -> UnsafePointer<UnsafePointer<Value>?>? {
        guard !values.isEmpty else { return nil }
        let pointers = UnsafeMutablePointer<UnsafePointer<Value>?>.allocate(capacity: values.count)
        blocks.append(UnsafeMutableRawPointer(pointers))
        for (index, value) in values.enumerated() { (pointers + index).initialize(to: place(value)) }
        return UnsafePointer(pointers)
    }
}

/// The `struct_size` of a struct of the ABI.
func structSize<Value>(of type: Value.Type) -> UInt32 { UInt32(MemoryLayout<Value>.size) }
