"""Reads JavaScript and TypeScript for integrity: tests, what they demand, tricks, answers by literals."""
