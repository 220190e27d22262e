"""What the scenarios are made of: networks, people, and what can be seen on the wire."""
