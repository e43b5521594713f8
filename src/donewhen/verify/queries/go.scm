(function_declaration name: (identifier) @name (#match? @name "^(Test|Example|Fuzz)")) @test
(method_declaration name: (field_identifier) @name (#match? @name "^Test")) @test
(call_expression function: (selector_expression field: (field_identifier) @_run)
  arguments: (argument_list . [(interpreted_string_literal) (raw_string_literal)] @name (func_literal))
  (#eq? @_run "Run")) @test
(function_declaration name: (identifier) @name (#not-match? @name "^(Test|Example|Fuzz)")) @define
(method_declaration name: (field_identifier) @name (#not-match? @name "^Test")) @define
(var_spec name: (identifier) @name value: (_) @value) @define
(const_spec name: (identifier) @name value: (_) @value) @define
(type_spec name: (type_identifier) @name) @define
(function_declaration name: (identifier) @_name (#eq? @_name "TestMain")) @hook

(function_declaration body: (block (statement_list (expression_statement
  (call_expression function: (selector_expression field: (field_identifier) @_skip))) @skip))
  (#any-of? @_skip "Skip" "Skipf" "SkipNow"))
(func_literal body: (block (statement_list (expression_statement
  (call_expression function: (selector_expression field: (field_identifier) @_skip))) @skip))
  (#any-of? @_skip "Skip" "Skipf" "SkipNow"))

(composite_literal type: (slice_type) body: (literal_value (literal_element (literal_value))) @table)
(composite_literal type: (map_type) body: (literal_value (keyed_element)) @table)

(if_statement condition: (_) @condition
  consequence: (block (statement_list (expression_statement (call_expression function: (_) @callee) @assert))))
(call_expression function: (_) @callee arguments: (argument_list) @arguments) @assert
(block (statement_list (return_statement) @return)) @block
