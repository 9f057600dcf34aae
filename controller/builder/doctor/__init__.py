"""`laserboard doctor`: checks everything that play needs and gives a remedy for each problem."""
