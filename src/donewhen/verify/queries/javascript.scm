; JavaScript, and TypeScript whose grammar has the same names.
(call_expression
  function: [(identifier) (member_expression)] @call
  arguments: (arguments . (_) @name)
  (#match? @call "^(it|test|specify|fit|xit|xtest|Deno\\.test|(t|tap|tt|it|test)\\.(test|it|only|skip|todo|fails|failing|concurrent|sequential|serial)(\\.(only|skip|todo|failing|each))?)$")) @test
(call_expression
  function: (call_expression function: (member_expression) @call arguments: (arguments . (_) @table))
  arguments: (arguments . (_) @name)
  (#match? @call "^(it|test|specify|fit|xit|xtest)(\\.\\w+)*\\.(each|skipIf|runIf|for)$")) @test
(call_expression
  function: (call_expression function: (member_expression) @call arguments: (template_string) @table)
  arguments: (arguments . (_) @name)
  (#match? @call "^(it|test|specify|fit|xit|xtest)(\\.\\w+)*\\.each$")) @test
(call_expression
  function: [(identifier) (member_expression)] @call
  arguments: (arguments . (_) @name)
  (#match? @call "^(describe|context|suite|fdescribe|xdescribe)(\\.(only|skip|todo|concurrent|sequential))*$|^test\\.describe(\\.\\w+)*$")) @group
(call_expression
  function: (call_expression function: (member_expression) @call arguments: (arguments . (_) @table))
  arguments: (arguments . (_) @name)
  (#match? @call "^(describe|context|suite)(\\.\\w+)*\\.(each|skipIf|runIf|for)$")) @group
(call_expression function: [(identifier) (member_expression)] @call
  (#match? @call "^(beforeEach|beforeAll|before|setup|(t|tap|test)\\.(before|beforeEach))$")) @hook

(function_declaration name: (identifier) @name) @define
(generator_function_declaration name: (identifier) @name) @define
(class_declaration name: (_) @name) @define
(variable_declarator name: (identifier) @name value: (_) @value) @define
(method_definition name: (property_identifier) @name) @define

((call_expression function: [(identifier) (member_expression)] @skip)
  (#match? @skip "^(x(it|test|describe)|(it|test|describe|specify|context|suite|t|tap)(\\.\\w+)*\\.(skip|todo|fixme)(\\.each)?)$"))
(call_expression arguments: (arguments (object (pair key: (property_identifier) @_key value: [(true) (string)]) @skip
  (#any-of? @_key "skip" "todo"))))
(statement_block . (expression_statement (call_expression function: (member_expression) @_call) @skip
  (#match? @_call "^(this|t|ctx|context)\\.skip$")))

(for_in_statement operator: "of" right: [(array) (identifier)] @table)
(call_expression function: (member_expression object: [(array) (identifier)] @table property: (property_identifier) @_each)
  (#eq? @_each "forEach"))
(variable_declarator name: (identifier) @local value: (array) @value)

(call_expression function: (_) @callee arguments: (arguments) @arguments) @assert
(try_statement body: (statement_block) @try handler: (catch_clause) @handler)
(statement_block (return_statement) @return) @block
