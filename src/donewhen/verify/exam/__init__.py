"""The exam: acceptance commands run by the harness itself, and what their end proves or leaves open."""
