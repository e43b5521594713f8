(function_item name: (identifier) @name) @define
(mod_item name: (identifier) @name) @group
(const_item name: (identifier) @name value: (_) @value) @define
(static_item name: (identifier) @name value: (_) @value) @define
(struct_item name: (type_identifier) @name) @define
(macro_definition name: (identifier) @name) @define
(attribute_item) @attached
((attribute_item) @skip (#match? @skip "^#\\[\\s*ignore\\b"))
((attribute_item) @row (#match? @row "^#\\[\\s*(test_case::)?(case|test_case)\\b"))
((attribute_item) @assert (#match? @assert "^#\\[\\s*should_panic"))
(macro_invocation macro: (_) @callee (token_tree) @arguments) @assert
(block (expression_statement (return_expression)) @return) @block
