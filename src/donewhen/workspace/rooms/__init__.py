"""Where runs and exams take place: folders of our own, outside any repository, one owner at a time."""
