"""What a repository is: its files read with care, its manifests, its commands, its exam."""
