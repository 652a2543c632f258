import ServerTesting

/// The Python of this machine, in which Locust need not be.
enum Python {
    /// Plays Locust and `requests`: modules that have everything and do nothing.
    static let locust = """
        import sys, types
        class Anything:
            def __getattr__(self, name): return Anything()
            def __call__(self, *words, **named): return words[0] if words and callable(words[0]) else Anything()
        for name in ("requests", "locust", "locust.exception", "requests.auth"):
            module = types.ModuleType(name)
            module.__getattr__ = lambda name: object if name == "HttpUser" else Anything()
            sys.modules[name] = module
        """

    /// - Returns: what the program prints.
    static func run(_ program: String, _ arguments: [String] = []) throws -> String {
        let directory = try TemporaryDirectory()
        let file = try directory.write("program.py", program)
        return try ChildProcess.run(try ChildProcess.find("python3", package: "python3"), [file] + arguments)
    }

    /// Compiles a file, imports it, and looks for names in its functions that nothing defines.
    static func complaints(about text: String) throws -> String {
        let directory = try TemporaryDirectory()
        let file = try directory.write("locustfile.py", text)
        try ChildProcess.run(try ChildProcess.find("python3", package: "python3"), ["-m", "py_compile", file])
        return try run(
            locust + """

                import builtins, dis, runpy
                known = runpy.run_path(sys.argv[1])
                known.update(vars(builtins))
                def check(code):
                    for step in dis.get_instructions(code):
                        if step.opname in ("LOAD_GLOBAL", "LOAD_NAME") and step.argval not in known and code.co_name != step.argval:
                            if not (code.co_flags & 2) and step.argval in code.co_names: continue
                            print(f"{code.co_name}: {step.argval} isn't defined")
                    for inner in code.co_consts:
                        if isinstance(inner, types.CodeType): check(inner)
                check(compile(open(sys.argv[1]).read(), "locustfile.py", "exec"))
                """, [file])
    }
}
