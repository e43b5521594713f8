"""The reviewer's side: what is asked about a change, and what an answer is worth. Pure."""
