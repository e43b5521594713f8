(method_declaration (modifiers) @_marks name: (identifier) @name
  (#match? @_marks "@(\\w+\\.)*(Test|ParameterizedTest|RepeatedTest|TestFactory|Property)\\b")) @test
(method_declaration name: (identifier) @name (#match? @name "^test[A-Z_]")) @test
(method_declaration name: (identifier) @name) @define
(class_declaration name: (identifier) @name) @group
(field_declaration declarator: (variable_declarator name: (identifier) @name value: (_) @value)) @define
(method_declaration (modifiers) @_marks (#match? @_marks "@(Before|BeforeEach|BeforeAll|BeforeClass)\\b")) @hook
((marker_annotation name: (_) @_mark) @skip (#match? @_mark "^(Disabled|Ignore)$"))
((annotation name: (_) @_mark) @skip (#match? @_mark "^(Disabled|Ignore)"))
(annotation name: (_) @_mark arguments: (annotation_argument_list (element_value_array_initializer) @table)
  (#match? @_mark "(Source|RepeatedTest)$"))
(annotation name: (_) @_mark arguments: (annotation_argument_list (element_value_pair value: (element_value_array_initializer) @table))
  (#match? @_mark "Source$"))
((annotation name: (_) @_mark arguments: (annotation_argument_list) @_arguments) @assert
  (#eq? @_mark "Test") (#match? @_arguments "expected"))
(method_invocation name: (identifier) @callee arguments: (argument_list) @arguments) @assert
(try_statement body: (block) @try (catch_clause) @handler)
(block (return_statement) @return) @block
