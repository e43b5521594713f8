"""Containers, clusters, clouds and what deploys to them."""
