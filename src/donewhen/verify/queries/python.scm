; What the reader of test functions looks for; see test_functions.py for the meaning of each capture.
(function_definition name: (identifier) @name (#match? @name "^test")) @test
(function_definition name: (identifier) @name (#not-match? @name "^test")) @define
(class_definition name: (identifier) @name) @group
(decorated_definition) @whole
(module (expression_statement (assignment left: (identifier) @name right: (_) @value)) @define)
(class_definition body: (block (expression_statement (assignment left: (identifier) @name right: (_) @value)) @define))
(function_definition name: (identifier) @name
  (#any-of? @name "setUp" "tearDown" "setUpClass" "asyncSetUp" "setup_method" "setup_class" "setup_function" "setup_module" "setUpModule" "setup")) @hook
(decorated_definition (decorator) @_mark
  (#match? @_mark "fixture") (#match? @_mark "autouse *= *True")) @hook

(decorator) @decorator
((decorator) @skip (#match? @skip "[.@](skip|skipif|skipIf|skipUnless|xfail|expectedFailure|pytest_skip)\\b"))
(function_definition body: (block . (expression_statement (string))? . (expression_statement (call function: (_) @_call)) @skip
  (#match? @_call "(^|\\.)(skip|skipTest|xfail|importorskip)$")))
(function_definition body: (block . (expression_statement (string))? . (raise_statement (_) @_error) @skip (#match? @_error "Skip(Test|ped)")))
(module (expression_statement (assignment left: (identifier) @_left right: (_) @skip
  (#eq? @_left "pytestmark") (#match? @skip "\\.(skip|xfail)\\b"))))
(module (expression_statement (call function: (_) @_call) @skip (#match? @_call "^pytest\\.(skip|xfail)$")))
(function_definition body: (block . (expression_statement (string))? . (return_statement) @empty) (#match? @empty "^return( None)?$"))

(decorator (call function: (_) @_call arguments: (argument_list . (_) . [(list) (tuple) (identifier) (set)] @table)
  (#match? @_call "parametrize$")))

(for_statement right: [(list) (tuple) (set) (dictionary) (identifier)] @table)
(assignment left: (identifier) @local right: [(list) (tuple) (set) (dictionary)] @value)

(assert_statement . (_) @expression) @assert
(call function: (_) @callee arguments: (argument_list) @arguments) @assert
(try_statement body: (block) @try (except_clause) @handler)
(with_statement (with_clause (with_item value: (call function: (_) @_call arguments: (argument_list) @_arguments)))
  body: (block) @swallowed
  (#match? @_call "suppress$") (#match? @_arguments "\\b(Exception|BaseException|AssertionError)\\b"))
(block (return_statement) @return) @block
